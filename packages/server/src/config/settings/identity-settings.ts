import { flag, integer, mapping, optionalText, type Setting, text } from '../setting.js';
import { issuers } from './issuers-setting.js';

const maxAgeHours = 100 * 366 * 24;

export const identitySettings = {
  jwtSecret: optionalText({
    env: 'MEMHALL_JWT_SECRET',
    secret: true,
    defaultText: 'created on first start in `<data>/jwt-secret`, with mode 0600',
    description:
      'Secret for HS256 tokens, at least 32 bytes. If MEMHALL_JWKS_URL is set and this is not, HS256 tokens are rejected.',
  }),
  jwksUrl: optionalText({
    env: 'MEMHALL_JWKS_URL',
    description:
      'URL of the key set (JWKS) of the identity provider, for RS256 and ES256 tokens. Requires MEMHALL_JWT_ISSUER and MEMHALL_JWT_AUDIENCE.',
  }),
  jwtIssuer: optionalText({
    env: 'MEMHALL_JWT_ISSUER',
    description: 'Required `iss` claim of tokens that are verified with the key set.',
  }),
  jwtAudience: optionalText({
    env: 'MEMHALL_JWT_AUDIENCE',
    description: 'Required `aud` claim of tokens that are verified with the key set.',
  }),
  jwtClaims: mapping({
    env: 'MEMHALL_JWT_CLAIMS',
    names: [
      'tenant_id',
      'user_id',
      'service_id',
      'roles',
      'workspace_id',
      'team_id',
      'org_id',
      'agent_id',
      'crew_id',
      'namespaces',
      'org_root',
      'max_trust',
      'jti',
    ],
    defaultText: 'the same names',
    description:
      'Names that the identity provider uses for claims, such as `tenant_id=tid,user_id=oid,roles=roles`. Applies to tokens that are verified with the key set, and to those of MEMHALL_OAUTH_ISSUERS.',
  }),
  consoleClientId: optionalText({
    env: 'MEMHALL_CONSOLE_CLIENT_ID',
    description:
      'Client id of the console at MEMHALL_JWT_ISSUER: people then sign in to the console there. The issuer must know `<address>/console/signed-in` as a redirect URI. Requires MEMHALL_JWKS_URL.',
  }),
  consoleClientSecret: optionalText({
    env: 'MEMHALL_CONSOLE_CLIENT_SECRET',
    secret: true,
    description: 'Secret of that client, if the issuer gave it one. Without it, PKCE alone protects the sign-in.',
  }),
  consoleScope: text({
    env: 'MEMHALL_CONSOLE_SCOPE',
    default: 'openid',
    description:
      'Scopes that the console asks for, separated by spaces. The access token, else the ID token, must be one that this server accepts: `openid api://memhall/.default` for Entra ID, for example.',
  }),
  consoleResource: optionalText({
    env: 'MEMHALL_CONSOLE_RESOURCE',
    description:
      'The `resource` that the console asks for, for issuers that need it (RFC 8707) to issue a token for MEMHALL_JWT_AUDIENCE.',
  }),
  publicUrl: optionalText({
    env: 'MEMHALL_PUBLIC_URL',
    description:
      'Public address of the server, such as `https://memory.example.com`. Tokens of MEMHALL_OAUTH_ISSUERS must be issued for `<address>/mcp`. `/mcp` accepts its name in the Host header.',
  }),
  oauthIssuers: issuers({
    env: 'MEMHALL_OAUTH_ISSUERS',
    description:
      'Authorization servers whose access tokens `/mcp` accepts, separated by commas, each with the tenants it may speak for: `https://id.example.com=acme|globex`. A token for the only tenant of an issuer need not have a `tenant_id`. `{tenant}` in an address stands for each of its tenants; `=*` allows any tenant, for a single issuer. Requires MEMHALL_PUBLIC_URL.',
  }),
  oauthReadScope: text({
    env: 'MEMHALL_OAUTH_READ_SCOPE',
    default: 'memory:read',
    description: 'Scope that tokens of MEMHALL_OAUTH_ISSUERS need on `/mcp`. `none` if none is needed.',
  }),
  oauthWriteScope: text({
    env: 'MEMHALL_OAUTH_WRITE_SCOPE',
    default: 'memory:write',
    description:
      'Scope that tokens of MEMHALL_OAUTH_ISSUERS need to call a tool that writes. It includes reading. `none` if none is needed.',
  }),
  tokenMaxHours: integer({
    env: 'MEMHALL_TOKEN_MAX_HOURS',
    default: 0,
    min: 0,
    max: maxAgeHours,
    description:
      'Hours that a token may be valid. Tokens with a longer life, or without `iat`, are rejected. Revocations are then dropped after this time. 0 means no limit.',
  }),
  usersWithoutToken: flag({
    env: 'MEMHALL_USERS_WITHOUT_TOKEN',
    default: true,
    description:
      'Whether callers on this machine can create users of the gateway without a token (`POST /users`), if the database is embedded and the main listener is bound to loopback. Set it to `false` before you put a proxy in front of the server.',
  }),
} satisfies Record<string, Setting<unknown>>;
