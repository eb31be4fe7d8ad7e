import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { networks } from '../config/setting.js';
import { clientAddress } from './client-address.js';

const parse = (list: string) => networks({ env: 'X', description: '' }).parse(list);
const addressOf = (peer: string, forwardedFor?: string, proxies = '127.0.0.1,10.0.0.0/8,::1') =>
  clientAddress(
    { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwardedFor } } as unknown as IncomingMessage,
    parse(proxies),
  );

describe('the address of a client', () => {
  it.each<[string, string | undefined, string]>([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
    ['2001:0db8::6', undefined, '2001:db8:0:0'],
    ['fe80::1%eth0', undefined, 'fe80:0:0:0'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    // Only a trusted proxy is believed.
    ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['::1', '2001:db8::1', '2001:db8:0:0'],
    // What the client itself sent comes first.
    ['127.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '203.0.113.1, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['127.0.0.1', '10.1.2.3', '10.1.2.3'],
    ['127.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8:0:0'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '198.51.100.7, unknown', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
  ])('of %s, forwarded for %s, is %s', (peer, forwardedFor, address) => {
    expect(addressOf(peer, forwardedFor)).toBe(address);
  });

  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0.0/-1'])(
    'is not read with "%s" as proxies',
    (list) => expect(() => parse(list)).toThrow('must be a comma-separated list'),
  );
});
