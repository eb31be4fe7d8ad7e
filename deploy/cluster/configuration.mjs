/** Configuration files of the programs around Memhall, as a production cluster would have them, only smaller. */

/** @param {{ name: string, address: string, etcd: string, data: string, binaries: string, password: string }} server */
export function patroniConfiguration({ name, address, etcd, data, binaries, password }) {
  return JSON.stringify({
    scope: 'memhall',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        // A primary that cannot start again, because its disk is full, gives way after this time: 300 seconds by default.
        primary_start_timeout: 5,
        // A write is acknowledged when it is on both servers. If there is one server left, it works alone.
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 60,
            shared_buffers: '64MB',
            max_wal_size: '256MB',
            wal_keep_size: '64MB',
            wal_level: 'replica',
            hot_standby: 'on',
            wal_log_hints: 'on',
            wal_sender_timeout: '10s',
            wal_receiver_timeout: '10s',
            tcp_user_timeout: '10s',
            max_locks_per_transaction: 128,
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: data,
      bin_dir: binaries,
      pgpass: `${data}.pgpass`,
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host replication replicator 198.18.0.0/15 scram-sha-256', 'host all all 198.18.0.0/15 scram-sha-256'],
    },
  });
}

/**
 * Patroni says which server is the primary. Connections to one that no longer is are ended, so that nobody waits for its answers.
 * @param {{ port: number, standbyPort: number, servers: readonly { name: string, address: string }[] }} options
 */
export function databaseProxyConfiguration({ port, standbyPort, servers }) {
  return [
    ...proxyDefaults('tcp', '1h'),
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  timeout check 2s',
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions check port 8008',
    ...servers.map(({ name, address }) => `  server ${name} ${address}:5432`),
    ...standbyProxy({ port: standbyPort, servers }),
    '',
  ].join('\n');
}

/**
 * Leads to the standby, as long as it follows closely.
 * @param {{ port: number, servers: readonly { name: string, address: string }[] }} options
 */
function standbyProxy({ port, servers }) {
  return [
    'listen standby',
    `  bind 127.0.0.1:${port}`,
    '  timeout check 2s',
    '  option httpchk GET /replica?lag=1MB',
    '  http-check expect status 200',
    '  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions check port 8008',
    ...servers.map(({ name, address }) => `  server ${name} ${address}:5432`),
  ];
}

/** @param {{ port: number, proxyPort: number, users: string, size: number }} options */
export function poolerConfiguration({ port, proxyPort, users, size }) {
  return [
    '[databases]',
    `* = host=127.0.0.1 port=${proxyPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    'max_client_conn = 300',
    'server_login_retry = 1',
    'server_connect_timeout = 3',
    'query_wait_timeout = 10',
    'tcp_keepalive = 1',
    '',
  ].join('\n');
}

/**
 * Nodes say themselves whether they are ready. A request is sent again only if it did not reach any.
 * @param {{ port: number, nodes: readonly number[] }} options
 */
export function nodesProxyConfiguration({ port, nodes }) {
  return [
    ...proxyDefaults('http', '60s'),
    'listen memhall',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  option redispatch 1',
    '  retries 3',
    '  retry-on conn-failure',
    // A node is slow under load. Without this, it would count as down if it took longer than the interval.
    '  timeout check 2s',
    '  option httpchk GET /ready',
    '  http-check expect status 200',
    '  default-server check inter 300ms fall 1 rise 1',
    ...nodes.map((nodePort, index) => `  server node${index + 1} 127.0.0.1:${nodePort}`),
    '',
  ].join('\n');
}

/** @param {'http' | 'tcp'} mode @param {string} idle */
function proxyDefaults(mode, idle) {
  return [
    'global',
    '  maxconn 1000',
    'defaults',
    `  mode ${mode}`,
    '  timeout connect 2s',
    `  timeout client ${idle}`,
    `  timeout server ${idle}`,
    '  timeout queue 10s',
  ];
}
