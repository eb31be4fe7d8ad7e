import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

describe('circuit breaker', () => {
  function newCircuit() {
    let at = 0;
    const circuit = new CircuitBreaker({ failures: 3, openMs: 60_000, now: () => at });
    const fail = () => {
      expect(circuit.enter()).toBe(true);
      circuit.failed();
    };
    const pass = (ms: number) => {
      at += ms;
    };
    return { circuit, fail, pass };
  }

  it('opens after three consecutive failures, not before', () => {
    const { circuit, fail } = newCircuit();
    fail();
    fail();
    expect(circuit.state).toBe('closed');
    fail();
    expect(circuit.state).toBe('open');
    expect(circuit.enter()).toBe(false);
    expect(circuit.waitMs).toBe(60_000);
  });

  it('starts counting again after a success', () => {
    const { circuit, fail } = newCircuit();
    fail();
    fail();
    circuit.enter();
    circuit.succeeded();
    fail();
    fail();
    expect(circuit.state).toBe('closed');
  });

  it('lets one trial call through when its time is over', () => {
    const { circuit, fail, pass } = newCircuit();
    for (let count = 0; count < 3; count++) fail();
    pass(59_999);
    expect(circuit.enter()).toBe(false);
    pass(1);
    expect(circuit.state).toBe('half-open');
    expect(circuit.enter()).toBe(true);
    expect(circuit.enter()).toBe(false);
    circuit.succeeded();
    expect(circuit.state).toBe('closed');
    expect(circuit.enter()).toBe(true);
  });

  it('opens for the whole time again if the trial fails', () => {
    const { circuit, fail, pass } = newCircuit();
    for (let count = 0; count < 3; count++) fail();
    pass(60_000);
    fail();
    expect(circuit.state).toBe('open');
    expect(circuit.waitMs).toBe(60_000);
  });

  it('passes the trial to the next call if its caller gives up', () => {
    const { circuit, fail, pass } = newCircuit();
    for (let count = 0; count < 3; count++) fail();
    pass(60_000);
    circuit.enter();
    circuit.abandoned();
    expect(circuit.state).toBe('half-open');
    expect(circuit.enter()).toBe(true);
  });
});
