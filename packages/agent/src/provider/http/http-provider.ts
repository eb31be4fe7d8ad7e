import { SecretText } from '../../configuration/secret-text.js';
import { checkHealth } from '../check-health.js';
import { checkForget, checkRead, checkRecall, checkRetain } from '../check-requests.js';
import {
  type ForgetRequest,
  type ForgetResult,
  type HealthStatus,
  type Provider,
  type ProviderCapability,
  type ProviderOwner,
  providerSpecification,
  type ReadRequest,
  type ReadResult,
  type RecallRequest,
  type RecallResult,
  type RetainRequest,
  type RetainResult,
} from '../provider.js';
import { JsonConnection } from './json-connection.js';
import {
  findHealthFault,
  readForgotten,
  readRecalled,
  readRetained,
  readText,
  toProviderError,
} from './server-answers.js';

export interface HttpProviderOptions extends ProviderOwner {
  /** URL of a Memhall server. */
  url: string;
  /** A token for the owner's workspace, or one with role service. */
  token: string | SecretText;
  /** Timeout of a single call. Default 10,000. */
  timeoutMs?: number;
}

/** Slightly less than the allowed second, to leave time for delivering the result. */
const healthMs = 950;

/** Memory on a Memhall server. Requests are validated locally first, so that invalid ones are never sent. */
export class HttpProvider implements Provider {
  readonly specification = providerSpecification;
  readonly capabilities: readonly ProviderCapability[] = [
    'read',
    'data_subject',
    'shared_append',
    'quarantine',
    'shared_crew',
  ];
  readonly #options: HttpProviderOptions;
  readonly #connection: JsonConnection;

  constructor(options: HttpProviderOptions) {
    const { url, token, timeoutMs = 10_000 } = options;
    this.#options = options;
    this.#connection = new JsonConnection({
      url,
      token: typeof token === 'string' ? new SecretText(token) : token,
      timeoutMs,
    });
  }

  async retain(request: RetainRequest, signal?: AbortSignal): Promise<RetainResult> {
    const { tier, key, content, mode } = checkRetain(this.#options, request);
    const body = { ...this.#scope(), tier, key, content, mode };
    return readRetained(await this.#post('retain', body, signal));
  }

  async read(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult> {
    const { tier, key } = checkRead(this.#options, request);
    return readText(await this.#post('read', { ...this.#scope(), tier, key }, signal));
  }

  async recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallResult> {
    const { tier, query, limit } = checkRecall(this.#options, request);
    return readRecalled(await this.#post('recall', { ...this.#scope(), tier, query, limit }, signal), limit);
  }

  async forget(request: ForgetRequest, signal?: AbortSignal): Promise<ForgetResult> {
    const checked = checkForget(this.#options, request);
    if ('place' in checked && checked.place === undefined) return { removed: 0 };
    const selector = 'place' in checked ? { id: checked.place?.label } : { data_subject_id: checked.dataSubjectId };
    return readForgotten(await this.#post('forget', { ...this.#scope(), ...selector }, signal));
  }

  health(signal?: AbortSignal): Promise<HealthStatus> {
    const check = async (ended: AbortSignal) =>
      findHealthFault(await this.#connection.call('GET', '/v1/provider/health', undefined, ended));
    return checkHealth(healthMs, check, signal);
  }

  /** Closes idle connections. The provider can still be used afterwards. */
  close(): void {
    this.#connection.close();
  }

  #scope() {
    const { workspaceId, agentId, crewId } = this.#options;
    return { workspace_id: workspaceId, agent_id: agentId, crew_id: crewId };
  }

  async #post(name: string, body: object, signal: AbortSignal | undefined): Promise<unknown> {
    const response = await this.#connection.call('POST', `/v1/provider/${name}`, body, signal);
    if (response.status !== 200) throw toProviderError(response);
    return response.body;
  }
}
