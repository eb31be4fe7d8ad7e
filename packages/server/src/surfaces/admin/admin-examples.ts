import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const adminExamples: Readonly<Record<string, RouteExample>> = {
  'tokenRevocations.create': {
    params: { tenant_id: 'default' },
    body: { user_id: 'cleo', issued_before: '2026-11-18T12:00:00Z' },
    response: {
      id: 'rev_01M7REGD49VCHFHT0TPC79GN62',
      created_at: '2026-11-18T23:05:12.073Z',
      user_id: 'cleo',
      issued_before: '2026-11-18T12:00:00.000Z',
    },
  },
  'tokenRevocations.list': {
    params: { tenant_id: 'default' },
    query: { limit: 20 },
    response: {
      token_revocations: [
        {
          id: 'rev_01M7REGD49VCHFHT0TPC79GN62',
          created_at: '2026-11-18T23:05:12.073Z',
          user_id: 'cleo',
          issued_before: '2026-11-18T12:00:00.000Z',
        },
      ],
    },
  },
  'tokenRevocations.delete': { params: { tenant_id: 'default', revocation_id: 'rev_01M7REGD49VCHFHT0TPC79GN62' } },
  'owners.list': {
    params: { tenant_id: 'default' },
    query: { limit: 2 },
    response: {
      owners: [
        { user_id: 'ann', workspace_id: null, changes: 118, last_change_at: '2026-11-18T23:05:12.073Z' },
        { user_id: 'cleo', workspace_id: null, changes: 4, last_change_at: '2026-11-17T09:12:44.310Z' },
      ],
      next_cursor: 'WyJjbGVvIl0',
    },
  },
  'audit.heads': {
    query: { limit: 1 },
    response: {
      heads: [
        {
          tenant: 'default',
          log: 'df813b6d48a19d0e',
          size: 65,
          root: '3294f9ea9c942a17b83424a911c81d95d1c2355df7a06b3c6b27e065d0319108',
          at: '2026-11-18T23:05:12.840Z',
          key: 'aHbJ9T+Kb3KJaq/DbPX8uY6ntvKb2W4FrhOXzeG/XEA=',
          signature: 'pbIJu8WRDl3TYA2aYxO9QDz/CFfW32sydf3nzGeYqeVOyodoABgvjFynJfPlZkGOCvd4FRg1Z5CFL89Z4f5iAw==',
        },
      ],
      next_cursor: 'WyI2NSJd',
    },
  },
  'audit.prove': {
    query: { user_id: 'ann', seq: 3 },
    response: {
      head: {
        tenant: 'default',
        log: 'df813b6d48a19d0e',
        size: 65,
        root: '3294f9ea9c942a17b83424a911c81d95d1c2355df7a06b3c6b27e065d0319108',
        at: '2026-11-18T23:05:12.840Z',
        key: 'aHbJ9T+Kb3KJaq/DbPX8uY6ntvKb2W4FrhOXzeG/XEA=',
        signature: 'pbIJu8WRDl3TYA2aYxO9QDz/CFfW32sydf3nzGeYqeVOyodoABgvjFynJfPlZkGOCvd4FRg1Z5CFL89Z4f5iAw==',
      },
      position: 9,
      path: [
        '79602b221eb1ff77cc12d29a678e00ec08ef09c340bca56151861b8c3600a236',
        'c93c269d4c342ba91855d12d25caf51539e881f87bb9d599620d442c5b98e0d8',
        'af87d7edd08d92d131d860baefcf781ad115107f5a982126f82a690a66319e93',
        '327f01101c05d1777d10c2bdea474c8722bf417489dfd88bf47d0caa6ca8c373',
        'c954781be51410ac5aaa67a9afafc68770992049cdeadce2236940ef88ccbef7',
        '53a9a09bc48f2e36de7a0310075b49e3da36b923b59bb5c27b708b4b53f7303f',
        'a20813b238777bbe6c91b396c222c305570606de8580de78918fc10e9091622a',
      ],
      chain: '13d6ed158830b963',
      seq: 3,
      previous: '57bca6c52d731b0c3565eeb16641d8db014ae1b490543dc0dfd4451b0d7ec2d3',
      record:
        '{"actor":{"roles":[],"service_id":null,"user_id":"ann"},"at":"2026-11-18T23:05:08.399Z","content_sha256":"ae2624a9d38001e43f207a19900df0e4f2acad477824f750778f73b73a4d55bc","operation":"gateway.add","post_etag":null,"pre_etag":null,"request_id":"01a1f0e8-25a1-7270-89a3-bbaded00c12c","target":"memory/episodic/01a1f0e8-25be-752f-ad3c-844d0149cec7","tenant_id":"default","user_id":"ann","version":1}',
    },
  },
  'audit.proveConsistency': {
    query: { from: 65 },
    response: {
      first: {
        tenant: 'default',
        log: 'df813b6d48a19d0e',
        size: 65,
        root: '3294f9ea9c942a17b83424a911c81d95d1c2355df7a06b3c6b27e065d0319108',
        at: '2026-11-18T23:05:12.840Z',
        key: 'aHbJ9T+Kb3KJaq/DbPX8uY6ntvKb2W4FrhOXzeG/XEA=',
        signature: 'pbIJu8WRDl3TYA2aYxO9QDz/CFfW32sydf3nzGeYqeVOyodoABgvjFynJfPlZkGOCvd4FRg1Z5CFL89Z4f5iAw==',
      },
      second: {
        tenant: 'default',
        log: 'df813b6d48a19d0e',
        size: 66,
        root: '2485feb581f4918357e9be703be5a39ca43021daa9cd6540d57b47af02279550',
        at: '2026-11-18T23:05:13.283Z',
        key: 'aHbJ9T+Kb3KJaq/DbPX8uY6ntvKb2W4FrhOXzeG/XEA=',
        signature: '4Dg9O47yNCqwTQwvK3qiX9JdBL0lJ3SJfyTGed+UTgRGHaFxlioUA/01S0JRyhiMNjYRo0uX4vhpElLEim6FDg==',
      },
      path: [
        'a20813b238777bbe6c91b396c222c305570606de8580de78918fc10e9091622a',
        '4a4a6278a2e1aae1da42b24bbcd444054922ec2fbe5b3e15881a9e5a3a965d35',
        '95dffc14d5b782626cf21f2a25dd8c8f2125572ee7fa4613b2329242c39eb559',
      ],
    },
  },
  'memories.export': {
    query: { limit: 1 },
    response: {
      memories: [
        {
          id: '9dc61f23-fe67-8fcb-a0e7-ab8d199a6f46',
          content: 'The garden has nine beds.',
          namespace: 'workspace:garden',
          kind: 'fact',
          source: 'agent',
          propagation: { legacy: { workspace_id: 'garden', scope: 'LOCAL', namespace: null, created_at: null } },
          created_at: '2026-11-18T23:05:13.372Z',
        },
      ],
      next_cursor: 'WyJ3b3Jrc3BhY2U6Z2FyZGVuIiwiIl0',
    },
  },
  'memories.import': {
    query: { failures: true },
    body: [{ content: 'The garden has nine beds.', workspace_id: 'garden', scope: 'LOCAL' }],
    response: { imported: 1, skipped: 0, errors: 0, total: 1, failures: [] },
  },
};
