import { expect, it } from 'vitest';
import { isPublicAddress } from './public-addresses.js';

it('tells public addresses from others', () => {
  expect(
    ['1.1.1.1', '172.15.0.1', '193.0.0.1', '2a00:1450::1', '2606:4700::1111'].filter((one) => !isPublicAddress(one)),
  ).toEqual([]);
  const others = [
    ...[
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
    ],
    ...[
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '64:ff9b::a00:1',
    ],
    ...['::ffff:10.0.0.1', '::ffff:1.1.1.1', '2001:db8::1', '2002:a00:1::', '2001::1'],
  ];
  expect(others.filter(isPublicAddress)).toEqual([]);
});
