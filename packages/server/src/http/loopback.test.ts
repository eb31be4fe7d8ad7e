import { describe, expect, it } from 'vitest';
import { bindsToLoopback, isLoopbackAddress, isLoopbackName } from './loopback.js';

describe('isLoopbackAddress', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'accepts %s',
    (address) => expect(isLoopbackAddress(address)).toBe(true),
  );

  it.each(['', '0.0.0.0', '::', '128.0.0.1', '::2', '::ffff:10.0.0.1', 'fe80::1%lo', '::1%lo', 'localhost', '127.1'])(
    'rejects "%s"',
    (address) => expect(isLoopbackAddress(address)).toBe(false),
  );
});

describe('isLoopbackName', () => {
  it.each(['localhost', 'LocalHost:8010', '127.0.0.1:1', '127.0.0.2', '[::1]', '[::1]:8010', '[::FFFF:127.0.0.1]'])(
    'accepts %s',
    (host) => expect(isLoopbackName(host)).toBe(true),
  );

  it.each(['', 'localhost.example', 'localhost.', '127.0.0.1.example', '[::1', '[::1%lo]:1', '0.0.0.0', 'a@localhost'])(
    'rejects "%s"',
    (host) => expect(isLoopbackName(host)).toBe(false),
  );
});

describe('bindsToLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['not a host name', false],
  ])('returns for %s: %s', async (host, expected) => expect(await bindsToLoopback(host)).toBe(expected));
});
