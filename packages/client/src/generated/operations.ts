// Generated from the route tables by `npm run generate`. Do not edit.

export interface Operations {
  'memory.remember': {
    path: {};
    query: {};
    body:
      | {
          /**
           * @minItems 1
           * @maxItems 500
           */
          memories: {
            content: string;
            kind?: 'note' | 'semantic' | 'episodic' | 'procedural' | 'fact' | 'summary' | 'checkpoint';
            external_id?: string;
            /**
             * @maxItems 100
             */
            tags?: string[];
            metadata?: {
              /**
               * This interface was referenced by `undefined`'s JSON-Schema definition
               * via the `patternProperty` "^.*$".
               */
              [k: string]: unknown;
            };
            session_id?: string;
            /**
             * Who says it
             */
            role?: 'user' | 'assistant' | 'tool' | 'system';
            /**
             * RFC 3339 timestamp with a time zone
             */
            occurred_at?: string;
            /**
             * RFC 3339 timestamp with a time zone
             */
            expires_at?: string;
            pin?: boolean;
            namespace?: string;
            /**
             * user and operator are equal, then agent, tool, external. Callers can lower it, never raise it.
             */
            trust?: 'user' | 'operator' | 'agent' | 'tool' | 'external';
          }[];
          /**
           * True: store nothing of this call, as with the header Off-The-Record
           */
          off_the_record?: boolean;
          /**
           * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
           */
          user_id?: string;
        }
      | {
          content: string;
          kind?: 'note' | 'semantic' | 'episodic' | 'procedural' | 'fact' | 'summary' | 'checkpoint';
          external_id?: string;
          /**
           * @maxItems 100
           */
          tags?: string[];
          metadata?: {
            /**
             * This interface was referenced by `undefined`'s JSON-Schema definition
             * via the `patternProperty` "^.*$".
             */
            [k: string]: unknown;
          };
          session_id?: string;
          /**
           * Who says it
           */
          role?: 'user' | 'assistant' | 'tool' | 'system';
          /**
           * RFC 3339 timestamp with a time zone
           */
          occurred_at?: string;
          /**
           * RFC 3339 timestamp with a time zone
           */
          expires_at?: string;
          pin?: boolean;
          namespace?: string;
          /**
           * user and operator are equal, then agent, tool, external. Callers can lower it, never raise it.
           */
          trust?: 'user' | 'operator' | 'agent' | 'tool' | 'external';
          /**
           * True: store nothing of this call, as with the header Off-The-Record
           */
          off_the_record?: boolean;
          /**
           * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
           */
          user_id?: string;
        };
    answer: {
      memory?: AnyMemory;
      /**
       * Present if several were sent, in their order
       */
      memories?: AnyMemory[];
    };
  };
  'memory.recall': {
    path: {};
    query: {};
    body: {
      query: string;
      limit?: number;
      /**
       * @minItems 1
       */
      scopes?: ('own' | 'shared' | 'public')[];
      /**
       * @minItems 1
       * @maxItems 32
       */
      kinds?: (
        | 'note'
        | 'semantic'
        | 'episodic'
        | 'procedural'
        | 'fact'
        | 'summary'
        | 'checkpoint'
        | 'event'
        | 'resource'
        | 'document'
        | 'tier'
      )[];
      /**
       * @minItems 1
       * @maxItems 100
       */
      namespaces?: string[];
      session_id?: string;
      /**
       * @maxItems 100
       */
      tags?: string[];
      /**
       * Earliest occurred_at
       */
      from?: string;
      /**
       * Latest occurred_at
       */
      to?: string;
      /**
       * What was true at this time. Leaves out what took place later. Default: known_at, else now
       */
      as_of?: string;
      /**
       * What was known at this time: earlier texts, and nothing that was recorded later. What was removed since is not there. Default: now
       */
      known_at?: string;
      /**
       * Include what is no longer true. A query that asks about the past includes it in any case.
       */
      include_superseded?: boolean;
      /**
       * session: sessions are ranked on all their memories; memories without one are left out
       */
      group_by?: 'memory' | 'session';
      /**
       * words or meaning: compares by that alone, without the reranker. For tests, and to see what each finds
       */
      match?: 'both' | 'words' | 'meaning';
      /**
       * false: the order before the reranker, if one is in use
       */
      rerank?: boolean;
      explain?: boolean;
      /**
       * Cut the list so that the texts fit: 4 characters a token
       */
      token_budget?: number;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
      /**
       * compared: ranks as if the embedder at MEMHALL_COMPARED_EMBEDDER were in use. Takes seconds. Not available for sessions (group_by: session)
       */
      embedder?: 'own' | 'compared';
    };
    answer: RecallResults;
  };
  'memory.why': {
    path: {};
    query: {};
    body: {
      query: string;
      limit?: number;
      /**
       * @minItems 1
       */
      scopes?: ('own' | 'shared' | 'public')[];
      /**
       * @minItems 1
       * @maxItems 32
       */
      kinds?: (
        | 'note'
        | 'semantic'
        | 'episodic'
        | 'procedural'
        | 'fact'
        | 'summary'
        | 'checkpoint'
        | 'event'
        | 'resource'
        | 'document'
        | 'tier'
      )[];
      /**
       * @minItems 1
       * @maxItems 100
       */
      namespaces?: string[];
      session_id?: string;
      /**
       * @maxItems 100
       */
      tags?: string[];
      /**
       * Earliest occurred_at
       */
      from?: string;
      /**
       * Latest occurred_at
       */
      to?: string;
      /**
       * What was true at this time. Leaves out what took place later. Default: known_at, else now
       */
      as_of?: string;
      /**
       * What was known at this time: earlier texts, and nothing that was recorded later. What was removed since is not there. Default: now
       */
      known_at?: string;
      /**
       * Include what is no longer true. A query that asks about the past includes it in any case.
       */
      include_superseded?: boolean;
      /**
       * session: sessions are ranked on all their memories; memories without one are left out
       */
      group_by?: 'memory' | 'session';
      /**
       * words or meaning: compares by that alone, without the reranker. For tests, and to see what each finds
       */
      match?: 'both' | 'words' | 'meaning';
      /**
       * false: the order before the reranker, if one is in use
       */
      rerank?: boolean;
      explain?: boolean;
      /**
       * Cut the list so that the texts fit: 4 characters a token
       */
      token_budget?: number;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      memory_id: string;
    };
    answer: RecallReason;
  };
  'memory.list': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
      kind?:
        | 'note'
        | 'semantic'
        | 'episodic'
        | 'procedural'
        | 'fact'
        | 'summary'
        | 'checkpoint'
        | 'event'
        | 'resource'
        | 'document'
        | 'tier';
      namespace?: string;
      session_id?: string;
      tag?: string;
      external_id?: string;
      from?: string;
      to?: string;
      user_id?: string;
    };
    answer: MemoryPage;
  };
  'memory.export': {
    path: {};
    query: {
      format?: 'jsonl' | 'markdown';
      user_id?: string;
    };
    answer: null;
  };
  'memory.get': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: {
      memory: AnyMemory;
      origin: {
        surface:
          | 'api'
          | 'library'
          | 'cli'
          | 'memory_service'
          | 'gateway'
          | 'documents'
          | 'plugin'
          | 'mcp'
          | 'provider'
          | 'files'
          | 'import';
        /**
         * The user who wrote it, else the service; empty if nobody is known
         */
        author: string;
        role?: string;
        namespace?: string;
        session_id?: string;
        document?: {
          namespace: string;
          path: string;
          pointer: string;
        };
        resource?: {
          resource_id: string;
          title: string | null;
        };
        tier?: {
          owner: string;
          label: string;
        };
      };
      /**
       * Who wrote or changed it, oldest first; at most the latest 100. A piece has the history of its record.
       */
      history: {
        /**
         * RFC 3339 timestamp in UTC with milliseconds
         */
        at: string;
        change: 'written' | 'changed' | 'removed';
        surface:
          | 'api'
          | 'library'
          | 'cli'
          | 'memory_service'
          | 'gateway'
          | 'documents'
          | 'plugin'
          | 'mcp'
          | 'provider'
          | 'files'
          | 'import';
        operation: string;
        user_id: string | null;
        service_id: string | null;
      }[];
    };
  };
  'memory.update': {
    path: {
      id: string;
    };
    query: {};
    body: {
      content?: string;
      /**
       * @maxItems 100
       */
      tags?: string[];
      metadata?: Record<string, unknown>;
      pin?: boolean;
      expires_at?: string | null;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      memory: AnyMemory;
    };
  };
  'memory.forget': {
    path: {
      id: string;
    };
    query: {
      copies?: boolean;
      user_id?: string;
    };
    answer: null;
  };
  'facts.list': {
    path: {};
    query: {
      subject?: string;
      attribute?: string;
      as_of?: string;
      known_at?: string;
      include_superseded?: boolean;
      unconfirmed?: boolean;
      evidence?: string;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: FactPage;
  };
  'facts.put': {
    path: {};
    query: {};
    body: {
      /**
       * `me` is the user
       */
      subject: string;
      /**
       * Compared without regard to case and spacing
       */
      attribute: string;
      value: string;
      /**
       * Since when it is true. Default: now
       */
      valid_from?: string;
      /**
       * Until when it is true, exclusive. Default: no end is known
       */
      valid_to?: string;
      /**
       * Default: 1
       */
      confidence?: number;
      /**
       * Ids of memories that say so
       *
       * @maxItems 100
       *
       * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      evidence?: string[];
      /**
       * Lowers the trust
       */
      trust?: 'user' | 'operator' | 'agent' | 'tool' | 'external';
      /**
       * replace ends the current value, the default for attributes with one value; add stands beside others, the default otherwise
       */
      mode?: 'replace' | 'add';
      /**
       * True: store nothing of this call, as with the header Off-The-Record
       */
      off_the_record?: boolean;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      fact: Fact;
    };
  };
  'facts.get': {
    path: {
      fact_id: string;
    };
    query: {
      as_of?: string;
      known_at?: string;
      user_id?: string;
    };
    answer: {
      fact: Fact;
      /**
       * The memories that say so, as far as the caller may read them
       */
      evidence: {
        id: string;
        text: string;
        kind: string;
        /**
         * RFC 3339 timestamp in UTC with milliseconds
         */
        occurred_at: string;
        /**
         * RFC 3339 timestamp in UTC with milliseconds
         */
        recorded_at: string;
        trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
      }[];
      /**
       * Ids of the facts whose place it takes
       */
      supersedes: string[];
      /**
       * Id of the fact that takes its place
       */
      superseded_by?: string;
      /**
       * How it came to its state, oldest first
       */
      history: {
        /**
         * RFC 3339 timestamp in UTC with milliseconds
         */
        at: string;
        change: string;
        reason: string;
        note: string | null;
        /**
         * The fact that was changed; another one if this only follows from it
         */
        cause: string;
      }[];
    };
  };
  'facts.retract': {
    path: {
      fact_id: string;
    };
    query: {};
    body: {
      /**
       * Why; kept with the change
       */
      reason?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      fact: Fact;
    };
  };
  'facts.confirm': {
    path: {
      fact_id: string;
    };
    query: {};
    body: {
      /**
       * Why; kept with the change
       */
      reason?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      fact: Fact;
    };
  };
  'facts.reject': {
    path: {
      fact_id: string;
    };
    query: {};
    body: {
      /**
       * Why; kept with the change
       */
      reason?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      fact: Fact;
    };
  };
  'facts.undo': {
    path: {
      fact_id: string;
    };
    query: {};
    body: {
      /**
       * Why; kept with the change
       */
      reason?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      fact: Fact;
    };
  };
  'facts.correct': {
    path: {
      fact_id: string;
    };
    query: {};
    body: {
      value: string;
      /**
       * Why; kept with the change
       */
      reason?: string;
      /**
       * True: store nothing of this call, as with the header Off-The-Record
       */
      off_the_record?: boolean;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: {
      fact: Fact;
      retracted: Fact;
    };
  };
  'subjects.list': {
    path: {};
    query: {
      as_of?: string;
      known_at?: string;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: SubjectList;
  };
  'subjects.get': {
    path: {
      subject: string;
    };
    query: {
      as_of?: string;
      known_at?: string;
      user_id?: string;
    };
    answer: SubjectPage;
  };
  'subjects.merge': {
    path: {
      subject: string;
    };
    query: {};
    body: {
      /**
       * The name that means the same. It need not have facts yet
       */
      with: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: SubjectPage;
  };
  'subjects.split': {
    path: {
      subject: string;
    };
    query: {};
    body: {
      /**
       * The name that means something else
       */
      alias: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: SubjectPage;
  };
  'offTheRecord.start': {
    path: {
      session_id: string;
    };
    query: {};
    body: {
      until?: string | null;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    } | null;
    answer: RecordState;
  };
  'offTheRecord.get': {
    path: {
      session_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: RecordState;
  };
  'offTheRecord.end': {
    path: {
      session_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'offTheRecord.list': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: RecordStates;
  };
  'changes.list': {
    path: {};
    query: {
      after?: string;
      limit?: number;
      user_id?: string;
    };
    answer: Changes;
  };
  'users.getSettings': {
    path: {};
    query: {
      user_id?: string;
    };
    answer: UserSettings;
  };
  'users.putSettings': {
    path: {};
    query: {};
    body: {
      /**
       * A name of the IANA list, such as Europe/Oslo. Days and weeks in statements and queries are those of this zone
       */
      time_zone: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: UserSettings;
  };
  'attributes.get': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    answer: Attribute;
  };
  'attributes.put': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    body: {
      /**
       * Whether a subject has one value at a time
       */
      single?: boolean;
      /**
       * Whether it can end without another value
       */
      ends_alone?: boolean;
      /**
       * Other names of it
       *
       * @maxItems 100
       *
       * Items: Compared without regard to case and spacing
       */
      synonyms?: string[];
      /**
       * How statements of it are worded, with {value} in place of the value
       *
       * @maxItems 100
       */
      patterns?: string[];
    };
    answer: Attribute;
  };
  'sources.revert': {
    path: {
      tenant_id: string;
    };
    query: {};
    body: {
      /**
       * Names an author, a namespace or a file; all given members must match
       */
      filter: {
        /**
         * Who wrote: the user of the token, else the service
         */
        author?: string;
        /**
         * The way by which it was written
         */
        surface?:
          | 'api'
          | 'library'
          | 'cli'
          | 'memory_service'
          | 'gateway'
          | 'documents'
          | 'plugin'
          | 'mcp'
          | 'provider'
          | 'files'
          | 'import';
        /**
         * Only memories in this namespace
         */
        namespace?: string;
        /**
         * Only what was made from this file. The file itself stays
         */
        resource_id?: string;
        /**
         * Only what was recorded at this time or later
         */
        from?: string;
        /**
         * Only what was recorded before this time
         */
        to?: string;
      };
      /**
       * Only count what would be taken back
       */
      dry_run?: boolean;
    };
    answer: {
      /**
       * For the undo; null for a dry run
       */
      revert_id: string | null;
      dry_run: boolean;
      counts: RevertCounts;
    };
  };
  'sources.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: SourceRevertList;
  };
  'sources.undo': {
    path: {
      tenant_id: string;
      revert_id: string;
    };
    query: {};
    answer: {
      counts: RevertCounts;
    };
  };
  'webhooks.list': {
    path: {
      tenant_id: string;
    };
    query: {};
    answer: WebhookList;
  };
  'webhooks.put': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    body: {
      /**
       * Address of the endpoint. It must use HTTPS.
       */
      url: string;
      /**
       * Which changes are sent, by their `operation`: one such as `memory.remember`, all of a family such as `memory.*`, or `*` for all
       *
       * @minItems 1
       * @maxItems 50
       */
      events: string[];
      /**
       * Signs the deliveries. Stored encrypted and never returned. If it is absent, a webhook that exists keeps its secret.
       */
      secret?: string;
    };
    answer: OneWebhook;
  };
  'webhooks.get': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    answer: OneWebhook;
  };
  'webhooks.delete': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    answer: null;
  };
  'webhooks.test': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    answer: WebhookTest;
  };
  'webhooks.listDeliveries': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      status?: 'waiting' | 'delivered' | 'failed';
    };
    answer: WebhookDeliveryPage;
  };
  'webhooks.getDelivery': {
    path: {
      tenant_id: string;
      name: string;
      delivery_id: string;
    };
    query: {};
    answer: WebhookDeliveryWithChanges;
  };
  'webhooks.retryDelivery': {
    path: {
      tenant_id: string;
      name: string;
      delivery_id: string;
    };
    query: {};
    answer: OneWebhookDelivery;
  };
  'semantic.store': {
    path: {};
    query: {};
    body: {
      content: string;
      external_id?: string;
      is_public?: boolean;
      /**
       * Any JSON object
       */
      metadata?: {
        [k: string]: unknown;
      };
      /**
       * @maxItems 100
       */
      tags?: string[];
      source?: string;
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      plan_id?: string;
      /**
       * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
       */
      session_id?: string;
      /**
       * True: store nothing of this call, as with the header Off-The-Record
       */
      off_the_record?: boolean;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: SemanticEntry;
  };
  'semantic.list': {
    path: {};
    query: {
      tag?: string;
      source?: string;
      plan_id?: string;
      session_id?: string;
      created_after?: string;
      created_before?: string;
      include_public?: boolean;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: SemanticEntries;
  };
  'semantic.deleteMany': {
    path: {};
    query: {
      tag?: string;
      source?: string;
      plan_id?: string;
      session_id?: string;
      created_after?: string;
      created_before?: string;
      user_id?: string;
    };
    answer: EntriesDeleted;
  };
  'semantic.query': {
    path: {};
    query: {};
    body: {
      query?: string;
      /**
       * @minItems 1
       * @maxItems 16000
       */
      query_embedding?: number[];
      top_k?: number;
      include_public?: boolean;
      filters?: {
        /**
         * @maxItems 100
         */
        tags?: string[];
        source?: string;
        /**
         * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
         */
        plan_id?: string;
        /**
         * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
         */
        session_id?: string;
        /**
         * Any JSON object
         */
        metadata?: {
          [k: string]: unknown;
        };
        /**
         * RFC 3339 timestamp with a time zone
         */
        created_after?: string;
        /**
         * RFC 3339 timestamp with a time zone
         */
        created_before?: string;
      };
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: SemanticEntries;
  };
  'semantic.find': {
    path: {};
    query: {
      q: string;
      top_k?: number;
      include_public?: boolean;
      user_id?: string;
    };
    answer: SemanticEntries;
  };
  'semantic.byExternalId': {
    path: {};
    query: {
      external_id: string;
      is_public?: boolean;
      user_id?: string;
    };
    answer: SemanticEntry;
  };
  'semantic.deleteByExternalId': {
    path: {};
    query: {
      external_id: string;
      is_public?: boolean;
      user_id?: string;
    };
    answer: null;
  };
  'semantic.get': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: SemanticEntry;
  };
  'semantic.delete': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'episodic.log': {
    path: {};
    query: {};
    body:
      | {
          /**
           * @minItems 1
           * @maxItems 500
           */
          entries: {
            /**
             * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
             */
            agent_id: string;
            role: 'user' | 'assistant' | 'system' | 'tool';
            content: string;
            /**
             * Any JSON object
             */
            metadata?: {
              [k: string]: unknown;
            };
            /**
             * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
             */
            session_id?: string;
            /**
             * RFC 3339 timestamp with a time zone
             */
            occurred_at?: string;
          }[];
          /**
           * True: store nothing of this call, as with the header Off-The-Record
           */
          off_the_record?: boolean;
          /**
           * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
           */
          user_id?: string;
        }
      | {
          /**
           * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
           */
          agent_id: string;
          role: 'user' | 'assistant' | 'system' | 'tool';
          content: string;
          /**
           * Any JSON object
           */
          metadata?: {
            [k: string]: unknown;
          };
          /**
           * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
           */
          session_id?: string;
          /**
           * RFC 3339 timestamp with a time zone
           */
          occurred_at?: string;
          /**
           * True: store nothing of this call, as with the header Off-The-Record
           */
          off_the_record?: boolean;
          /**
           * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
           */
          user_id?: string;
        };
    answer: EpisodicEntry | EpisodicEntries;
  };
  'episodic.forgetSession': {
    path: {};
    query: {
      agent_id: string;
      session_id: string;
      user_id?: string;
    };
    answer: EpisodicForgotten;
  };
  'episodic.recent': {
    path: {};
    query: {
      agent_id: string;
      session_id?: string;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: EpisodicEntries;
  };
  'episodic.search': {
    path: {};
    query: {
      agent_id: string;
      q: string;
      limit?: number;
      user_id?: string;
    };
    answer: EpisodicEntries;
  };
  'episodic.get': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: EpisodicEntry;
  };
  'episodic.delete': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'procedural.store': {
    path: {};
    query: {};
    body: {
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      agent_id: string;
      trigger_condition?: string;
      procedure_type: 'system_prompt' | 'few_shot_example' | 'skill';
      content: string;
      /**
       * Any JSON object
       */
      metadata?: {
        [k: string]: unknown;
      };
      /**
       * True: store nothing of this call, as with the header Off-The-Record
       */
      off_the_record?: boolean;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: ProceduralEntry;
  };
  'procedural.list': {
    path: {};
    query: {
      agent_id?: string;
      procedure_type?: 'system_prompt' | 'few_shot_example' | 'skill';
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: ProceduralEntries;
  };
  'procedural.deleteMany': {
    path: {};
    query: {
      agent_id: string;
      procedure_type?: 'system_prompt' | 'few_shot_example' | 'skill';
      user_id?: string;
    };
    answer: EntriesDeleted;
  };
  'procedural.context': {
    path: {};
    query: {
      agent_id: string;
      q: string;
      limit?: number;
      user_id?: string;
    };
    answer: ProceduralEntries;
  };
  'procedural.get': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: ProceduralEntry;
  };
  'procedural.delete': {
    path: {
      id: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'working.put': {
    path: {
      plan_id: string;
      key: string;
    };
    query: {};
    body: {
      /**
       * Any JSON value, stored unchanged
       */
      value: unknown;
      /**
       * Absent: the value does not expire
       */
      ttl_seconds?: number;
      /**
       * The session that it comes from. If that is off the record, the call is refused
       */
      session_id?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: WorkingEntry;
  };
  'working.get': {
    path: {
      plan_id: string;
      key: string;
    };
    query: {
      user_id?: string;
    };
    answer: WorkingEntry;
  };
  'working.delete': {
    path: {
      plan_id: string;
      key: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'working.list': {
    path: {
      plan_id: string;
    };
    query: {
      prefix?: string;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: WorkingList;
  };
  'working.clear': {
    path: {
      plan_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: WorkingCleared;
  };
  'tasks.store': {
    path: {};
    query: {};
    body: {
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      task_id: string;
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      plan_id?: string;
      event_type: string;
      response_event?: string;
      response_topic?: string;
      /**
       * Any JSON object
       */
      data?: {
        [k: string]: unknown;
      };
      /**
       * Delegated sub-tasks that are not done yet. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      sub_tasks?: string[];
      /**
       * Any JSON object
       */
      state?: {
        [k: string]: unknown;
      };
      /**
       * Take the lease of the new task for this long. Absent: no lease
       */
      lease_seconds?: number;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: TaskContextStored;
  };
  'tasks.list': {
    path: {};
    query: {
      plan_id?: string;
      stale_for?: number;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: TaskContextList;
  };
  'tasks.bySubTask': {
    path: {
      subtask_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: TaskContextEntry;
  };
  'tasks.get': {
    path: {
      task_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: TaskContextEntry;
  };
  'tasks.update': {
    path: {
      task_id: string;
    };
    query: {};
    body: {
      /**
       * Replaces the whole list. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      sub_tasks?: string[];
      /**
       * Any JSON object
       */
      state?: {
        [k: string]: unknown;
      };
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: TaskContextEntry;
  };
  'tasks.delete': {
    path: {
      task_id: string;
    };
    query: {
      lease_id?: string;
      user_id?: string;
    };
    answer: null;
  };
  'tasks.changeSubTasks': {
    path: {
      task_id: string;
    };
    query: {};
    body: {
      /**
       * Appended to the list unless already in it. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      add?: string[];
      /**
       * Removed from the list if in it. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      remove?: string[];
      /**
       * The caller's lease. LEASE_LOST if it is no longer the task's.
       */
      lease_id?: string;
      /**
       * Take the lease of the task for this long if nothing is left to wait for. Absent: no lease
       */
      lease_seconds?: number;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: SubTasksChanged;
  };
  'tasks.takeLease': {
    path: {
      task_id: string;
    };
    query: {};
    body: {
      lease_seconds?: number;
      /**
       * The caller's lease. LEASE_LOST if it is no longer the task's. Given: it is renewed.
       */
      lease_id?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: TaskLease;
  };
  'tasks.releaseLease': {
    path: {
      task_id: string;
    };
    query: {
      lease_id: string;
      user_id?: string;
    };
    answer: null;
  };
  'plans.create': {
    path: {};
    query: {};
    body: {
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      plan_id: string;
      goal_event: string;
      /**
       * Any JSON object
       */
      goal_data?: {
        [k: string]: unknown;
      };
      status?: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
      /**
       * Any JSON object
       */
      state?: {
        [k: string]: unknown;
      };
      current_state?: string;
      response_event?: string;
      /**
       * Ids of the events that the plan waits for. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      correlation_ids?: string[];
      /**
       * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
       */
      session_id?: string;
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      parent_plan_id?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: Plan;
  };
  'plans.list': {
    path: {};
    query: {
      status?: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled' | 'active';
      session_id?: string;
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: PlanList;
  };
  'plans.byCorrelation': {
    path: {
      correlation_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: Plan;
  };
  'plans.get': {
    path: {
      plan_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: Plan;
  };
  'plans.update': {
    path: {
      plan_id: string;
    };
    query: {};
    body: {
      status?: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
      /**
       * Any JSON object
       */
      state?: {
        [k: string]: unknown;
      };
      current_state?: string | null;
      response_event?: string | null;
      /**
       * Ids of the events that the plan waits for. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      correlation_ids?: string[];
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: Plan;
  };
  'plans.delete': {
    path: {
      plan_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'plans.changeCorrelations': {
    path: {
      plan_id: string;
    };
    query: {};
    body: {
      /**
       * Appended to the ids unless already among them. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      add?: string[];
      /**
       * Removed from the ids if among them. Duplicates are ignored.
       *
       * @maxItems 1000
       *
       * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      remove?: string[];
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: CorrelationsChanged;
  };
  'sessions.create': {
    path: {};
    query: {};
    body: {
      /**
       * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
       */
      session_id: string;
      /**
       * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
       */
      agent_id?: string;
      name?: string;
      /**
       * Any JSON object
       */
      metadata?: {
        [k: string]: unknown;
      };
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    };
    answer: Session;
  };
  'sessions.list': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
      user_id?: string;
    };
    answer: SessionList;
  };
  'sessions.get': {
    path: {
      session_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: SessionPage;
  };
  'sessions.update': {
    path: {
      session_id: string;
    };
    query: {};
    body: {
      /**
       * RFC 3339 timestamp with a time zone
       */
      last_interaction?: string;
      /**
       * Any JSON object
       */
      metadata?: {
        [k: string]: unknown;
      };
      name?: string | null;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
    } | null;
    answer: Session;
  };
  'sessions.delete': {
    path: {
      session_id: string;
    };
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'schemas.get': {
    path: {
      tenant_id: string;
      schema_id: string;
      version: string;
    };
    query: {};
    answer: Schema;
  };
  'schemas.put': {
    path: {
      tenant_id: string;
      schema_id: string;
      version: string;
    };
    query: {};
    body: {
      /**
       * JSON Schema 2020-12. Patterns are matched in linear time and cannot use lookaround.
       */
      schema: unknown;
      /**
       * Describes how documents are migrated from the previous version. Stored unchanged.
       */
      migration?: unknown;
    };
    answer: Schema;
  };
  'schemas.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: SchemaList;
  };
  'profiles.get': {
    path: {
      tenant_id: string;
      profile_id: string;
    };
    query: {};
    answer: Profile;
  };
  'profiles.put': {
    path: {
      tenant_id: string;
      profile_id: string;
    };
    query: {};
    body: Profile;
    answer: Profile;
  };
  'profiles.list': {
    path: {
      tenant_id: string;
    };
    query: {};
    answer: ProfileList;
  };
  'documents.list': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      namespace?: string;
    };
    answer: DocumentList;
  };
  'documents.get': {
    path: {
      tenant_id: string;
      user_id: string;
      namespace: string;
      path: string;
    };
    query: {
      at?: string;
      as_of?: string;
      known_at?: string;
      profile_id?: string;
    };
    answer: DocumentAnswer;
  };
  'documents.patch': {
    path: {
      tenant_id: string;
      user_id: string;
      namespace: string;
      path: string;
    };
    query: {};
    body: {
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      binding_id: string;
      reason: 'live_update' | 'replay_update' | 'admin_migration' | 'compaction';
      /**
       * Evidence that the change is based on
       */
      evidence?:
        | {
            [k: string]: unknown;
          }
        | unknown[];
      confidence?: number;
      /**
       * RFC 6902 operations. Paths start with /content.
       */
      ops: {
        op: string;
        path: string;
        /**
         * Of add, replace and test
         */
        value?: unknown;
        /**
         * Of move and copy: a path
         */
        from?: unknown;
      }[];
    };
    answer: WriteAnswer;
  };
  'documents.replace': {
    path: {
      tenant_id: string;
      user_id: string;
      namespace: string;
      path: string;
    };
    query: {};
    body: {
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      binding_id: string;
      reason: 'live_update' | 'replay_update' | 'admin_migration' | 'compaction';
      /**
       * Evidence that the change is based on
       */
      evidence?:
        | {
            [k: string]: unknown;
          }
        | unknown[];
      confidence?: number;
      /**
       * Only `content` is used. The schema, if given, must be that of the binding.
       */
      document: {
        content: {
          [k: string]: unknown;
        };
        /**
         * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
         */
        schema_id?: string;
        /**
         * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
         */
        schema_version?: string;
        doc_id?: unknown;
        created_at?: unknown;
        updated_at?: unknown;
        updated_by?: unknown;
      };
    };
    answer: WriteAnswer;
  };
  'documents.history': {
    path: {
      tenant_id: string;
      user_id: string;
      namespace: string;
      path: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: DocumentHistory;
  };
  'context.assemble': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    body: {
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
      /**
       * Topic of the conversation, as far as it is known
       */
      conversation_hint?: {
        text?: string | null;
        project_id?: string | null;
      };
      /**
       * Values for the variables of path templates, such as `{team_id}`. The project is given in the hint.
       */
      variables?: Record<string, unknown>;
      /**
       * What was true at this time. Leaves out what took place later. Default: known_at, else now
       */
      as_of?: string;
      /**
       * What was known at this time: earlier texts, and nothing that was recorded later. What was removed since is not there. Default: now
       */
      known_at?: string;
      /**
       * Adds what the memory knows about this besides the documents
       */
      query?: string;
      /**
       * For the texts of these memories: 4 characters a token. No text is cut.
       */
      token_budget?: number;
      max_docs?: number;
      max_chars_total?: number;
      debug?: boolean;
    };
    answer: Context;
  };
  'events.write': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    body: {
      event: {
        event_id?: string;
        /**
         * If given, must be the same as in the path
         */
        tenant_id?: string;
        /**
         * If given, must be the same as in the path
         */
        user_id?: string;
        /**
         * Default: the calling service
         */
        service_id?: string | null;
        /**
         * RFC 3339 timestamp with a time zone
         */
        timestamp?: string;
        /**
         * Kind of source, such as chat
         */
        source_type?: string | null;
        /**
         * Short description of what happened
         */
        digest: string;
        /**
         * @maxItems 100
         */
        keywords?: string[];
        /**
         * @maxItems 100
         */
        project_ids?: string[];
        snapshot_uri?: string | null;
        /**
         * References to the source of the event
         */
        evidence?: {} | null;
      };
    };
    answer: {
      event_id: string;
    };
  };
  'events.search': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    body: {
      query?: string | null;
      service_id?: string | null;
      source_type?: string | null;
      project_id?: string | null;
      from?: string | null;
      to?: string | null;
      top_k?: number;
    };
    answer: {
      results: Event[];
    };
  };
  'conversations.snapshot': {
    path: {
      tenant_id: string;
      user_id: string;
      conversation_id: string;
    };
    query: {};
    body: {
      /**
       * In chronological order
       *
       * @minItems 1
       * @maxItems 10000
       */
      messages: {
        id: string;
        role: 'user' | 'assistant' | 'system' | 'tool';
        /**
         * A text, or parts of type text, which are stored as one text with a line feed between them
         */
        content:
          | string
          | {
              /**
               * Must be text. Other types are rejected.
               */
              type: string;
              text?: string;
              [k: string]: unknown;
            }[];
        /**
         * RFC 3339 timestamp with a time zone
         */
        timestamp?: string;
      }[];
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
      /**
       * Whether to extract facts worth remembering
       */
      replay?: boolean;
    };
    answer: SnapshotTaken;
  };
  'conversations.listSnapshots': {
    path: {
      tenant_id: string;
      user_id: string;
      conversation_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      snapshots: SnapshotSummary[];
      /**
       * Cursor of the next page. Absent on the last page.
       */
      next_cursor?: string;
    };
  };
  'conversations.list': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: ConversationList;
  };
  'conversations.get': {
    path: {
      tenant_id: string;
      user_id: string;
      conversation_id: string;
    };
    query: {};
    answer: LearnedConversation;
  };
  'conversations.replay': {
    path: {
      tenant_id: string;
      user_id: string;
      conversation_id: string;
      snapshot_id: string;
    };
    query: {};
    body: {
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
    };
    answer: ReplayQueued;
  };
  'replays.get': {
    path: {
      tenant_id: string;
      user_id: string;
      replay_id: string;
    };
    query: {};
    answer: Replay;
  };
  'unresolved.list': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: {
      patches: UnresolvedPatch[];
      /**
       * Cursor of the next page. Absent on the last page.
       */
      next_cursor?: string;
    };
  };
  'unresolved.apply': {
    path: {
      tenant_id: string;
      user_id: string;
      patch_id: string;
    };
    query: {};
    answer: WriteAnswer;
  };
  'unresolved.discard': {
    path: {
      tenant_id: string;
      user_id: string;
      patch_id: string;
    };
    query: {};
    answer: null;
  };
  'audit.verify': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    answer: VerifiedChain;
  };
  'audit.list': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      target?: string;
      operation?: string;
      author?: string;
      from?: string;
      to?: string;
    };
    answer: AuditRecords;
  };
  'workspaces.audit': {
    path: {
      tenant_id: string;
      workspace_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      target?: string;
      operation?: string;
      author?: string;
      from?: string;
      to?: string;
    };
    answer: AuditRecords;
  };
  'conversations.readSnapshot': {
    path: {
      tenant_id: string;
      user_id: string;
      conversation_id: string;
      snapshot_id: string;
    };
    query: {};
    answer: Snapshot;
  };
  'unresolvedQueue.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      status?: 'waiting' | 'review';
    };
    answer: {
      patches: UnresolvedPatch[];
      /**
       * Cursor of the next page. Absent on the last page.
       */
      next_cursor?: string;
    };
  };
  'unresolvedQueue.apply': {
    path: {
      tenant_id: string;
      patch_id: string;
    };
    query: {};
    answer: WriteAnswer;
  };
  'unresolvedQueue.discard': {
    path: {
      tenant_id: string;
      patch_id: string;
    };
    query: {};
    answer: null;
  };
  'tenants.audit': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      target?: string;
      operation?: string;
      author?: string;
      from?: string;
      to?: string;
    };
    answer: AuditRecords;
  };
  'retention.apply': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    body: {
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
      /**
       * Ages are computed relative to this time. Default: now.
       */
      as_of?: string | null;
    };
    answer: RetentionAnswer;
  };
  'retention.preview': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    body: {
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      profile_id: string;
      /**
       * Ages are computed relative to this time. Default: now.
       */
      as_of?: string | null;
    };
    answer: RetentionAnswer;
  };
  'retentionCeilings.put': {
    path: {
      tenant_id: string;
    };
    query: {};
    /**
     * Replaces all ceilings. An absent or null ceiling means no limit.
     */
    body: {
      snapshots_days?: number | null;
      events_days?: number | null;
      audit_days?: number | null;
      resources_days?: number | null;
    };
    answer: RetentionCeilings;
  };
  'retentionCeilings.get': {
    path: {
      tenant_id: string;
    };
    query: {};
    answer: RetentionCeilings;
  };
  'users.forget': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    answer: ErasureAnswer;
  };
  'users.previewForget': {
    path: {
      tenant_id: string;
      user_id: string;
    };
    query: {};
    answer: ForgetPreview;
  };
  'workspaces.forget': {
    path: {
      tenant_id: string;
      workspace_id: string;
    };
    query: {};
    answer: ErasureAnswer;
  };
  'tenants.erase': {
    path: {
      tenant_id: string;
    };
    query: {};
    answer: ErasureAnswer;
  };
  'receipts.check': {
    path: {
      tenant_id: string;
      receipt_id: string;
    };
    query: {};
    answer: CheckedReceipt;
  };
  'legalHolds.put': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    body: {
      /**
       * Absent: every user of the tenant
       */
      user_ids?: string[] | null;
      reason: string;
    };
    answer: LegalHold;
  };
  'legalHolds.get': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    answer: LegalHold;
  };
  'legalHolds.delete': {
    path: {
      tenant_id: string;
      name: string;
    };
    query: {};
    answer: null;
  };
  'legalHolds.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: LegalHoldList;
  };
  'provider.retain': {
    path: {};
    query: {};
    body: {
      /**
       * The workspace_id claim of the token or, without that claim, its user. A token with the role service or admin may name any workspace.
       */
      workspace_id: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      agent_id?: string;
      /**
       * Crew whose CREW tier is used
       */
      crew_id?: string;
      tier: 'AGENT' | 'CREW' | 'PERSONA' | 'pins' | 'daily' | 'peers' | 'lessons';
      /**
       * daily: a date; peers: a name; ignored for other tiers
       */
      key?: string;
      content: string;
      /**
       * append adds the content on a new line
       */
      mode: 'replace' | 'append';
    };
    answer: {
      /**
       * The tier, with its key if it has one, such as AGENT.md or daily/2026-05-21.md
       */
      id: string;
      /**
       * Size of the whole text after the write
       */
      bytes: number;
      /**
       * Present once the text uses 80 % of the cap
       */
      warning?: string;
    };
  };
  'provider.read': {
    path: {};
    query: {};
    body: {
      /**
       * The workspace_id claim of the token or, without that claim, its user. A token with the role service or admin may name any workspace.
       */
      workspace_id: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      agent_id?: string;
      /**
       * Crew whose CREW tier is used
       */
      crew_id?: string;
      tier: 'AGENT' | 'CREW' | 'PERSONA' | 'pins' | 'daily' | 'peers' | 'lessons';
      /**
       * daily: a date; peers: a name; ignored for other tiers
       */
      key?: string;
    };
    answer: {
      /**
       * The tier, with its key if it has one, such as AGENT.md or daily/2026-05-21.md
       */
      id: string;
      /**
       * Empty if the tier has no text. Starts with [BLOCKED: if the text is quarantined.
       */
      content: string;
      bytes: number;
    };
  };
  'provider.recall': {
    path: {};
    query: {};
    body: {
      /**
       * The workspace_id claim of the token or, without that claim, its user. A token with the role service or admin may name any workspace.
       */
      workspace_id: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      agent_id?: string;
      /**
       * Crew whose CREW tier is used
       */
      crew_id?: string;
      tier?: 'AGENT' | 'CREW' | 'PERSONA' | 'pins' | 'daily' | 'peers' | 'lessons';
      query: string;
      /**
       * Clamped to 1 to 20
       */
      limit?: number;
    };
    answer: {
      hits: {
        /**
         * The tier, with its key if it has one, such as AGENT.md or daily/2026-05-21.md
         */
        source: string;
        snippet: string;
        /**
         * Line of the match
         */
        line: number;
        score: number;
      }[];
      /**
       * Quarantined texts, which models must not read. For operators.
       *
       * Items: The tier, with its key if it has one, such as AGENT.md or daily/2026-05-21.md
       */
      quarantined: string[];
    };
  };
  'provider.forget': {
    path: {};
    query: {};
    body: {
      /**
       * The workspace_id claim of the token or, without that claim, its user. A token with the role service or admin may name any workspace.
       */
      workspace_id: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      agent_id?: string;
      /**
       * Crew whose CREW tier is used
       */
      crew_id?: string;
      /**
       * Id returned by retain
       */
      id?: string;
      /**
       * User whose data is erased everywhere. Requires the role admin.
       */
      data_subject_id?: string;
    };
    answer: {
      /**
       * 0: there was nothing to remove
       */
      removed: number;
      /**
       * Only with data_subject_id
       */
      receipt_id?: string;
    };
  };
  'provider.health': {
    path: {};
    query: {};
    answer: {
      ok: boolean;
      /**
       * Present if ok is false
       */
      message?: string;
      /**
       * RFC 3339 timestamp in UTC with milliseconds
       */
      checked_at: string;
    };
  };
  'quarantine.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      workspace_id?: string;
    };
    answer: {
      entries: {
        quarantine_id: string;
        workspace_id: string;
        /**
         * agent:…, crew:… or workspace
         */
        owner: string;
        /**
         * Such as AGENT.md or daily/2026-05-21.md
         */
        label: string;
        category: string;
        rule: string;
        /**
         * SHA-256 of the text
         */
        sha256: string;
        status: 'held' | 'released';
        /**
         * Version of the document in which the text was found, and its author
         */
        origin: {
          updated_by: string;
          version: number;
          etag: string;
        };
        /**
         * RFC 3339 timestamp in UTC with milliseconds
         */
        created_at: string;
        /**
         * RFC 3339 timestamp in UTC with milliseconds
         */
        updated_at: string;
      }[];
      /**
       * Cursor of the next page. Absent on the last page.
       */
      next_cursor?: string;
    };
  };
  'quarantine.get': {
    path: {
      tenant_id: string;
      quarantine_id: string;
    };
    query: {};
    answer: {
      quarantine_id: string;
      workspace_id: string;
      /**
       * agent:…, crew:… or workspace
       */
      owner: string;
      /**
       * Such as AGENT.md or daily/2026-05-21.md
       */
      label: string;
      category: string;
      rule: string;
      /**
       * SHA-256 of the text
       */
      sha256: string;
      status: 'held' | 'released';
      /**
       * Version of the document in which the text was found, and its author
       */
      origin: {
        updated_by: string;
        version: number;
        etag: string;
      };
      /**
       * RFC 3339 timestamp in UTC with milliseconds
       */
      created_at: string;
      /**
       * RFC 3339 timestamp in UTC with milliseconds
       */
      updated_at: string;
      text: string;
      /**
       * Where in the text the finding begins, in UTF-16 code units. Absent: it is spread over the text
       */
      offset?: number;
    };
  };
  'quarantine.delete': {
    path: {
      tenant_id: string;
      quarantine_id: string;
    };
    query: {};
    answer: null;
  };
  'quarantine.release': {
    path: {
      tenant_id: string;
      quarantine_id: string;
    };
    query: {};
    answer: {
      quarantine_id: string;
      workspace_id: string;
      /**
       * agent:…, crew:… or workspace
       */
      owner: string;
      /**
       * Such as AGENT.md or daily/2026-05-21.md
       */
      label: string;
      category: string;
      rule: string;
      /**
       * SHA-256 of the text
       */
      sha256: string;
      status: 'held' | 'released';
      /**
       * Version of the document in which the text was found, and its author
       */
      origin: {
        updated_by: string;
        version: number;
        etag: string;
      };
      /**
       * RFC 3339 timestamp in UTC with milliseconds
       */
      created_at: string;
      /**
       * RFC 3339 timestamp in UTC with milliseconds
       */
      updated_at: string;
    };
  };
  'files.run': {
    path: {};
    query: {};
    body: {
      command: 'view' | 'create' | 'str_replace' | 'insert' | 'delete' | 'rename';
      /**
       * Path of a file or directory, such as /memories/notes.md. For all commands but rename
       */
      path?: string;
      /**
       * For view of a file: the first and the last line to show; -1 as the last stands for the end
       *
       * @maxItems 2
       */
      view_range?: number[];
      /**
       * For create: the content of the file
       */
      file_text?: string;
      /**
       * For str_replace: the text to replace. It must occur once
       */
      old_str?: string;
      /**
       * For str_replace: what takes its place; default: nothing
       */
      new_str?: string;
      /**
       * For insert: the line after which to insert; 0 is the beginning of the file
       */
      insert_line?: number;
      /**
       * For insert: the lines to insert
       */
      insert_text?: string;
      /**
       * For rename: the present path of a file or directory
       */
      old_path?: string;
      /**
       * For rename: its new path. Nothing may be there
       */
      new_path?: string;
      /**
       * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
       */
      user_id?: string;
      /**
       * The agent whose files they are; default: the agent_id claim of the token or, without that claim, none: the user's own files. A token with the claim can name no other agent.
       */
      agent_id?: string;
    };
    answer: ToolResult;
  };
  'mcp.post': {
    path: {};
    query: {
      user_id?: string;
    };
    /**
     * JSON-RPC 2.0
     */
    body: unknown;
    answer: null;
  };
  'mcp.listen': {
    path: {};
    query: {
      user_id?: string;
    };
    answer: null;
  };
  'mcp.metadata': {
    path: {};
    query: {};
    answer: {
      /**
       * What tokens must be issued for
       */
      resource: string;
      resource_name: string;
      authorization_servers: string[];
      bearer_methods_supported: string[];
      scopes_supported: string[];
    };
  };
  'mcp.root_metadata': {
    path: {};
    query: {};
    answer: {
      /**
       * What tokens must be issued for
       */
      resource: string;
      resource_name: string;
      authorization_servers: string[];
      bearer_methods_supported: string[];
      scopes_supported: string[];
    };
  };
  'health.get': {
    path: {};
    query: {};
    answer: {
      status: 'ok' | 'degraded';
      api: {
        status: 'ok' | 'down';
      };
      backend: {
        status: 'ok' | 'down';
      };
      /**
       * Only with a token that has the role operator
       */
      version?: string;
      /**
       * Only with a token that has the role operator
       */
      database?: {
        kind: 'embedded' | 'postgres';
        server_version: string;
        vector_version: string;
        schema_version: number;
        size_bytes: number;
      };
      /**
       * Only with a token that has the role operator. null: recall matches words only
       */
      embedder?: {
        kind: string;
        model: string;
        dimension: number;
        runtime: string;
        /**
         * Unless it is ready, recall matches words only, and what is stored gets its vectors later
         */
        status: 'ready' | 'starting' | 'failed';
        note?: string;
      } | null;
      /**
       * Only with a token that has the role operator: the model at MEMHALL_RERANKER
       */
      reranker?: {
        kind: string;
        model: string;
        runtime: string;
        /**
         * Unless it is ready, the order of recall is as without it
         */
        status: 'ready' | 'starting' | 'failed';
        note?: string;
      };
      /**
       * Only with a token that has the role operator: the capabilities available now
       */
      capabilities?: string[];
      /**
       * Only with a token that has the role operator: the plugin at MEMORY_PLUGIN_URL, as it last reported itself
       */
      memory_plugin?: {
        /**
         * unknown: it has not responded yet
         */
        status: 'ok' | 'degraded' | 'unknown';
        capabilities: string[];
        /**
         * open: it keeps failing and is not called for a while. half-open: one call tries whether it works again
         */
        circuit: 'closed' | 'open' | 'half-open';
        /**
         * What to change so that it can be used fully
         */
        problem?: string;
      };
      /**
       * Only with a token that has the role operator: the index at MEMHALL_AZURE_SEARCH_URL
       */
      event_index?: {
        address: string;
        /**
         * down: recall finds events instead
         */
        status: 'ok' | 'down';
        /**
         * Events that it lacks
         */
        waiting: number;
      };
      /**
       * Only with a token that has the role operator
       */
      indexing?: {
        /**
         * Memories that wait for their vector or word forms
         */
        waiting: number;
        /**
         * How long the oldest of them has waited
         */
        lag_seconds: number;
      };
      /**
       * Only with a token that has the role operator: revoked tokens, as this process knows them
       */
      token_revocations?: {
        /**
         * stale: what was revoked in the last seconds is not known. After a minute, tokens are rejected with 503.
         */
        status: 'ok' | 'stale';
        entries: number;
        /**
         * When they were last read
         */
        age_seconds: number;
      };
      /**
       * Only with a token that has the role operator: how far signing and the witness are behind
       */
      audit_log?: {
        /**
         * Audit records that no signed head covers yet
         */
        unsigned_records: number;
        /**
         * Where signed heads are sent. null: MEMHALL_AUDIT_WITNESS is not set
         */
        witness: string | null;
        /**
         * Signed heads that the witness lacks
         */
        waiting_heads: number;
        /**
         * How long the oldest of them has waited
         */
        waiting_seconds: number;
      };
      /**
       * Only with a token that has the role operator: the background jobs of all processes
       */
      jobs?: {
        name: string;
        waiting: number;
        /**
         * How long the oldest waiting job has been due
         */
        backlog_seconds: number;
        /**
         * Jobs that failed their last attempt
         */
        dead_letters: number;
      }[];
    };
  };
  'ready.get': {
    path: {};
    query: {};
    answer: {
      ready: boolean;
      /**
       * Present while recall matches words only for lack of its model
       */
      embedder?: 'starting' | 'failed';
    };
  };
  'metrics.get': {
    path: {};
    query: {};
    answer: null;
  };
  'openapi.get': {
    path: {};
    query: {};
    answer: null;
  };
  'openapi.getPlugin': {
    path: {};
    query: {};
    answer: null;
  };
  'docs.get': {
    path: {};
    query: {};
    answer: null;
  };
  'docs.getPlugin': {
    path: {};
    query: {};
    answer: null;
  };
  'docs.script': {
    path: {};
    query: {};
    answer: null;
  };
  'jobs.list': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
      state?: 'waiting' | 'retrying' | 'running' | 'done' | 'failed';
      name?: string;
    };
    answer: BackgroundJobList;
  };
  'jobs.retry': {
    path: {};
    query: {};
    body:
      | {
          /**
           * @minItems 1
           * @maxItems 100
           */
          ids: string[];
        }
      | {
          /**
           * Up to 1000 of them
           */
          all_failed: true;
        };
    answer: RetriedJobs;
  };
  'latency.get': {
    path: {};
    query: {};
    answer: Latency;
  };
  'tenants.list': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: TenantList;
  };
  'quotas.list': {
    path: {};
    query: {};
    answer: QuotaList;
  };
  'chat.models': {
    path: {};
    query: {};
    answer: ChatModels;
  };
  'chat.reply': {
    path: {};
    query: {};
    body: {
      /**
       * Default: the first one listed
       */
      model?: string;
      /**
       * @minItems 1
       * @maxItems 400
       */
      messages: {
        role: 'system' | 'user' | 'assistant';
        content: string;
      }[];
    };
    answer: ChatReply;
  };
  'console.signInMethods': {
    path: {};
    query: {};
    answer: SignInMethods;
  };
  'console.startSignIn': {
    path: {};
    query: {};
    answer: StartedSignIn;
  };
  'console.finishSignIn': {
    path: {};
    query: {};
    body: {
      /**
       * What follows the question mark of the address that the issuer sent the browser back to
       */
      query: string;
    };
    answer: ConsoleSession;
  };
  'console.signIn': {
    path: {};
    query: {};
    body:
      | {
          /**
           * From the link that the server printed
           */
          code: string;
        }
      | {
          token: string;
        };
    answer: ConsoleSession;
  };
  'console.signOut': {
    path: {};
    query: {};
    answer: null;
  };
  'console.resume': {
    path: {};
    query: {};
    answer: ConsoleSession;
  };
  'tokenRevocations.create': {
    path: {
      tenant_id: string;
    };
    query: {};
    body: {
      /**
       * The claim `jti` of the token
       */
      token_id?: string;
      /**
       * When the token with token_id expires, if you know it
       */
      expires_at?: string;
      /**
       * Revoke the tokens of this user
       */
      user_id?: string;
      /**
       * Revoke tokens issued before this time: of user_id (default: now) or, without user_id, of everybody
       */
      issued_before?: string;
    };
    answer: TokenRevocation;
  };
  'tokenRevocations.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: TokenRevocationList;
  };
  'tokenRevocations.delete': {
    path: {
      tenant_id: string;
      revocation_id: string;
    };
    query: {};
    answer: null;
  };
  'audit.heads': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
    };
    answer: SignedHeads;
  };
  'audit.prove': {
    path: {};
    query: {
      user_id?: string;
      workspace_id?: string;
      seq: number;
    };
    answer: RecordProof;
  };
  'audit.proveConsistency': {
    path: {};
    query: {
      from: number;
      to?: number;
    };
    answer: ConsistencyProof;
  };
  'owners.list': {
    path: {
      tenant_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      prefix?: string;
    };
    answer: OwnerList;
  };
  'memories.export': {
    path: {};
    query: {
      limit?: number;
      cursor?: string;
      namespace?: string;
    };
    answer: ExportedMemories;
  };
  'memories.import': {
    path: {};
    query: {
      failures?: boolean;
    };
    body:
      | {}[]
      | {
          /**
           * @maxItems 10000
           */
          memories: {}[];
          next_cursor?: string;
          truncated_namespaces?: string[];
        };
    answer: Imported;
  };
}
export interface AnyMemory {
  id: string;
  content: string;
  kind: string;
  external_id: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  session_id: string | null;
  role: string | null;
  pin: boolean;
  namespace: string | null;
  public: boolean;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  occurred_at: string;
  expires_at: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  recorded_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  /**
   * user and operator are equal, then agent, tool, external. Callers can lower it, never raise it.
   */
  trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
  origin: {
    surface:
      | 'api'
      | 'library'
      | 'cli'
      | 'memory_service'
      | 'gateway'
      | 'documents'
      | 'plugin'
      | 'mcp'
      | 'provider'
      | 'files'
      | 'import';
    /**
     * The user who wrote it, else the service; empty if nobody is known
     */
    author: string;
    role?: string;
    namespace?: string;
    session_id?: string;
    document?: {
      namespace: string;
      path: string;
      pointer: string;
    };
    resource?: {
      resource_id: string;
      title: string | null;
    };
    tier?: {
      owner: string;
      label: string;
    };
  };
}
export interface RecallResults {
  /**
   * Items: Sessions with group_by session
   */
  results: (RecallResult | RecallSession)[];
  /**
   * True if something may be missing: the memory plugin did not answer, or the model of the embedder is still being loaded, so that memories were found by their words only
   */
  incomplete?: boolean;
}
export interface RecallResult {
  id: string;
  text: string;
  kind: string;
  /**
   * 0 to 1. Comparable only within one response.
   */
  score: number;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  occurred_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  recorded_at: string;
  origin: {
    surface:
      | 'api'
      | 'library'
      | 'cli'
      | 'memory_service'
      | 'gateway'
      | 'documents'
      | 'plugin'
      | 'mcp'
      | 'provider'
      | 'files'
      | 'import';
    /**
     * The user who wrote it, else the service; empty if nobody is known
     */
    author: string;
    role?: string;
    namespace?: string;
    session_id?: string;
    document?: {
      namespace: string;
      path: string;
      pointer: string;
    };
    resource?: {
      resource_id: string;
      title: string | null;
    };
    tier?: {
      owner: string;
      label: string;
    };
  };
  /**
   * user and operator are equal, then agent, tool, external. Callers can lower it, never raise it.
   */
  trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
  /**
   * False: nothing is true any more that it says
   */
  current: boolean;
  /**
   * What took its place: the id of the memory that says so or, if there is none, of the fact. With current true, the place of a part.
   */
  superseded_by?: string;
  /**
   * Since when it is not true
   */
  superseded_at?: string;
  /**
   * More trusted facts and statements that contradict it
   */
  disputed_by?: {
    /**
     * The fact; left out if statements are compared
     */
    fact_id?: string;
    text: string;
    trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
    /**
     * A memory that says so
     */
    memory_id?: string;
  }[];
  /**
   * The same in words
   */
  note?: string;
  /**
   * Ids of memories that match the query and are no longer true: it is shown in their place
   */
  stands_for?: string[];
  /**
   * Whether it is in the memory of the user. Also true for what a service stored there: see `trust`
   */
  own: boolean;
  /**
   * Ids of further copies of the statement
   */
  also?: string[];
  /**
   * What each part added to the score, and why other memories count as copies
   */
  explain?: {
    lexical: number;
    dense: number;
    context: number;
    speaker: number;
    time: number;
    hint: number;
    pin: number;
    recency: number;
    /**
     * Less for what is no longer true or disputed; more for the past if the query asks about it
     */
    truth: number;
    /**
     * Only if a reranker is in use
     */
    rerank?: number;
    cosine: number | null;
    /**
     * What the reranker did; missing if it did not read this memory
     */
    reranked?: {
      /**
       * From 1: its place before
       */
      place: number;
      relevance: number | null;
    };
    /**
     * Score and parts are those of this memory: it is shown in its place, or because it contradicts it
     */
    scored_as?: string;
    copies: {
      id: string;
      reason: string;
    }[];
  };
}
export interface RecallSession {
  session_id: string;
  /**
   * 0 to 1. Comparable only within one response.
   */
  score: number;
  /**
   * When the first of its memories took place
   */
  started_at: string;
  /**
   * When the last of its memories took place
   */
  ended_at: string;
  /**
   * Its best matches, at most three
   */
  best: RecallResult[];
  /**
   * How many of its memories match
   */
  count: number;
}
export interface RecallReason {
  returned: boolean;
  /**
   * From 1: the place of its result or, if it was not returned, its place among everything that matches, before copies are joined. With group_by session: that of its session.
   */
  rank?: number;
  /**
   * no_session: it belongs to none. filter: the request leaves it out. superseded: nothing is true any more that it says. candidates: its partition is searched in the database, which did not propose it. threshold: it matches neither by word nor by meaning. copy: another result says the same. rank: others match better. token_budget: the texts up to it do not fit.
   */
  reason:
    'returned' | 'no_session' | 'filter' | 'superseded' | 'candidates' | 'threshold' | 'copy' | 'rank' | 'token_budget';
  explain: {
    /**
     * The reason in words
     */
    message: string;
    /**
     * The fields of the request that leave it out, such as `kinds`
     */
    filters?: string[];
    /**
     * The result that it is a copy of
     */
    copy_of?: {
      id: string;
      reason: string;
    };
    /**
     * False: nothing is true any more that it says
     */
    current?: boolean;
    /**
     * What took its place: the id of the memory that says so or, if there is none, of the fact. With current true, the place of a part.
     */
    superseded_by?: string;
    /**
     * Since when it is not true
     */
    superseded_at?: string;
    /**
     * More trusted facts and statements that contradict it
     */
    disputed_by?: {
      /**
       * The fact; left out if statements are compared
       */
      fact_id?: string;
      text: string;
      trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
      /**
       * A memory that says so
       */
      memory_id?: string;
    }[];
    /**
     * The same in words
     */
    note?: string;
    found_by?: ('words' | 'meaning')[];
    score?: number;
    /**
     * What each part added to its score
     */
    parts?: {
      lexical: number;
      dense: number;
      context: number;
      speaker: number;
      time: number;
      hint: number;
      pin: number;
      recency: number;
      /**
       * Less for what is no longer true or disputed; more for the past if the query asks about it
       */
      truth: number;
      /**
       * Only if a reranker is in use
       */
      rerank?: number;
      cosine: number | null;
    };
    /**
     * The cosine from which a memory that shares no word with the query is found
     */
    cosine_floor?: number;
    /**
     * How many memories match
     */
    matches?: number;
  };
}
export interface MemoryPage {
  memories: AnyMemory[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface FactPage {
  facts: Fact[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface Fact {
  id: string;
  subject: string;
  attribute: string;
  value: string;
  text: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  valid_from: string;
  valid_to: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  recorded_at: string;
  retracted_at: string | null;
  confidence: number;
  trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
  /**
   * At `as_of`, as far as it was known at `known_at`
   */
  status: 'current' | 'superseded' | 'ended' | 'retracted' | 'unconfirmed';
  /**
   * Ids of memories
   */
  evidence: string[];
}
export interface SubjectList {
  subjects: SubjectSummary[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface SubjectSummary {
  subject: string;
  /**
   * Its other names
   */
  aliases: string[];
  /**
   * How many facts had begun by then
   */
  facts: number;
  /**
   * How many of them are current or unconfirmed
   */
  current: number;
}
export interface SubjectPage {
  subject: string;
  /**
   * Its other names
   */
  aliases: string[];
  /**
   * Current and unconfirmed facts, by attribute
   */
  facts: Fact[];
  /**
   * What began and ended, oldest first
   */
  timeline: {
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    at: string;
    event: 'began' | 'ended' | 'superseded';
    fact_id: string;
    attribute: string;
    value: string;
    text: string;
    trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
    /**
     * Id of the fact that takes its place
     */
    superseded_by?: string;
    /**
     * Ids of memories
     */
    evidence: string[];
  }[];
  /**
   * The memories that say so, as far as the caller may read them, oldest first
   */
  sources: {
    id: string;
    text: string;
    kind: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    occurred_at: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    recorded_at: string;
    trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
    /**
     * Ids of the facts it is evidence for
     */
    facts: string[];
  }[];
  /**
   * Whether older facts were left out: a page has the 500 recorded last. `GET /v1/facts` lists all
   */
  shortened: boolean;
}
export interface RecordState {
  session_id: string;
  off_the_record: boolean;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  started_at?: string;
  /**
   * When it ends by itself; null if somebody has to end it
   */
  until?: string | null;
}
export interface RecordStates {
  sessions: RecordState[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface Changes {
  changes: Change[];
  /**
   * Continues after this page, also if it is empty
   */
  next_cursor: string;
}
export interface Change {
  /**
   * Continues after this change
   */
  cursor: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  at: string;
  /**
   * What changed it, such as memory.remember
   */
  operation: string;
  /**
   * The kind of memory, or of another record such as document or fact
   */
  kind: string;
  id: string;
}
export interface UserSettings {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  user_id: string;
  /**
   * A name of the IANA list, such as Europe/Oslo. Days and weeks in statements and queries are those of this zone
   */
  time_zone: string;
}
export interface Attribute {
  name: string;
  /**
   * Whether a subject has one value at a time
   */
  single: boolean;
  /**
   * Whether it can end without another value
   */
  ends_alone: boolean;
  /**
   * Other names of it
   *
   * @maxItems 100
   *
   * Items: Compared without regard to case and spacing
   */
  synonyms: string[];
  /**
   * How statements of it are worded, with {value} in place of the value
   *
   * @maxItems 100
   */
  patterns: string[];
}
export interface RevertCounts {
  /**
   * Users concerned
   */
  users: number;
  memories: number;
  /**
   * Facts that nobody else stated or gave evidence for
   */
  facts: number;
  /**
   * Facts that are as before the source ended them
   */
  restored: number;
  /**
   * Versions of documents
   */
  patches: number;
  /**
   * Versions that others changed since: each is an unresolved patch
   */
  unresolved: number;
}
export interface SourceRevertList {
  reverts: SourceRevert[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface SourceRevert {
  revert_id: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  at: string;
  /**
   * Until then it can be restored
   */
  purge_at: string;
  users: number;
  memories: number;
  facts: number;
}
export interface WebhookList {
  webhooks: Webhook[];
}
export interface Webhook {
  name: string;
  url: string;
  events: string[];
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
}
export interface OneWebhook {
  webhook: Webhook;
}
export interface WebhookTest {
  accepted: boolean;
  /**
   * Status of the response to the last attempt; null if there was none
   */
  response_status: number | null;
  fault: string | null;
  duration_ms: number;
}
export interface WebhookDeliveryPage {
  deliveries: WebhookDelivery[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface WebhookDelivery {
  id: string;
  /**
   * `waiting`: not sent yet, or to be sent again. `failed`: given up after three days.
   */
  status: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * Only while it waits
   */
  next_attempt_at?: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  ended_at?: string;
  /**
   * Status of the response to the last attempt; null if there was none
   */
  response_status: number | null;
  /**
   * What went wrong at the last attempt
   */
  fault: string | null;
  /**
   * Of the last attempt
   */
  duration_ms: number | null;
}
export interface WebhookDeliveryWithChanges {
  delivery: WebhookDelivery;
  /**
   * As they are sent. Those of people who were forgotten are gone.
   */
  changes: {
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    at: string;
    operation: string;
    kind: string;
    id: string;
    /**
     * Who changed it; absent if nobody is to be named
     */
    user_id?: string;
    workspace_id?: string;
    namespace?: string;
    visibility?: 'public';
  }[];
}
export interface OneWebhookDelivery {
  delivery: WebhookDelivery;
}
export interface SemanticEntry {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  tenant_id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  user_id: string;
  content: string;
  external_id: string | null;
  is_public: boolean;
  /**
   * Any JSON object
   */
  metadata: {
    [k: string]: unknown;
  };
  tags: string[];
  source: string | null;
  plan_id: string | null;
  session_id: string | null;
  /**
   * SHA-256 of the content, hexadecimal
   */
  content_hash: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  /**
   * Match score. Comparable only within one response.
   */
  score?: number;
}
export interface SemanticEntries {
  entries: SemanticEntry[];
  /**
   * Number of items in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface EntriesDeleted {
  deleted_count: number;
}
export interface EpisodicEntry {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  id: string;
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  agent_id: string;
  role: string;
  content: string;
  /**
   * Any JSON object
   */
  metadata: {
    [k: string]: unknown;
  };
  session_id: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  occurred_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * Match score. Comparable only within one response.
   */
  score?: number;
}
export interface EpisodicEntries {
  entries: EpisodicEntry[];
  /**
   * Number of items in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface EpisodicForgotten {
  deleted_count: number;
  /**
   * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
   */
  session_id: string;
}
export interface ProceduralEntry {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  id: string;
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  agent_id: string;
  trigger_condition: string | null;
  procedure_type: string;
  content: string;
  /**
   * Any JSON object
   */
  metadata: {
    [k: string]: unknown;
  };
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  occurred_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * Match score. Comparable only within one response.
   */
  score?: number;
}
export interface ProceduralEntries {
  entries: ProceduralEntry[];
  /**
   * Number of items in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface WorkingEntry {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  key: string;
  value: unknown;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  expires_at?: string;
}
export interface WorkingList {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
  entries: WorkingEntry[];
  /**
   * Number of entries in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface WorkingCleared {
  deleted_count: number;
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
}
export interface TaskContextStored {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  task_id: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  lease?: TaskLease;
}
export interface TaskLease {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  lease_id: string;
  /**
   * From then on, another worker can take the lease
   */
  expires_at: string;
  /**
   * complete: every sub-task is finished. delegate: the task has not waited for any yet.
   */
  next: 'delegate' | 'complete';
}
export interface TaskContextList {
  task_contexts: TaskContextSummary[];
  /**
   * Number of items in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface TaskContextSummary {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  task_id: string;
  plan_id: string | null;
  event_type: string;
  response_event: string | null;
  response_topic: string;
  /**
   * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  sub_tasks: string[];
  /**
   * When the lease expires, or did. Absent: no worker has a lease
   */
  leased_until?: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
}
export interface TaskContextEntry {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  task_id: string;
  plan_id: string | null;
  event_type: string;
  response_event: string | null;
  response_topic: string;
  /**
   * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  sub_tasks: string[];
  /**
   * When the lease expires, or did. Absent: no worker has a lease
   */
  leased_until?: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  /**
   * Any JSON object
   */
  data: {
    [k: string]: unknown;
  };
  /**
   * Any JSON object
   */
  state: {
    [k: string]: unknown;
  };
}
export interface SubTasksChanged {
  /**
   * The list after the change
   *
   * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  sub_tasks: string[];
  /**
   * Sub-tasks that this call removed
   *
   * Items: 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  removed: string[];
  /**
   * Whether this call removed the last sub-task. True for exactly one of several concurrent callers.
   */
  became_empty: boolean;
  lease?: TaskLease;
}
export interface Plan {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
  goal_event: string;
  /**
   * Any JSON object
   */
  goal_data: {
    [k: string]: unknown;
  };
  status: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
  current_state: string | null;
  response_event: string | null;
  /**
   * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  correlation_ids: string[];
  session_id: string | null;
  parent_plan_id: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  finished_at: string | null;
  /**
   * Any JSON object
   */
  state: {
    [k: string]: unknown;
  };
}
export interface PlanList {
  plans: PlanSummary[];
  /**
   * Number of items in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface PlanSummary {
  /**
   * 1 to 100 characters of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
  goal_event: string;
  /**
   * Any JSON object
   */
  goal_data: {
    [k: string]: unknown;
  };
  status: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
  current_state: string | null;
  response_event: string | null;
  /**
   * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  correlation_ids: string[];
  session_id: string | null;
  parent_plan_id: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  finished_at: string | null;
}
export interface CorrelationsChanged {
  /**
   * The ids after the change
   *
   * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  correlation_ids: string[];
  /**
   * Ids that this call removed. Each is removed by exactly one call.
   *
   * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  removed: string[];
  /**
   * Whether this call removed the last id. True for exactly one of several concurrent callers.
   */
  became_empty: boolean;
}
export interface Session {
  /**
   * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
   */
  session_id: string;
  agent_id: string | null;
  name: string | null;
  /**
   * Any JSON object
   */
  metadata: {
    [k: string]: unknown;
  };
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  last_interaction: string;
}
export interface SessionList {
  sessions: Session[];
  /**
   * Number of items in this response
   */
  count: number;
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface SessionPage {
  /**
   * 1 to 256 characters of A-Z a-z 0-9 . _ : @ -
   */
  session_id: string;
  agent_id: string | null;
  name: string | null;
  /**
   * Any JSON object
   */
  metadata: {
    [k: string]: unknown;
  };
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  last_interaction: string;
  /**
   * The newest plans of the session
   */
  plans: PlanSummary[];
  /**
   * Cursor for listing the remaining plans with this session_id. Absent if there are no more.
   */
  plans_next_cursor?: string;
}
export interface Schema {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  schema_id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  version: string;
  /**
   * JSON Schema 2020-12 for the content of documents
   */
  schema: unknown;
  migration?: unknown;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
}
export interface SchemaList {
  schemas: {
    /**
     * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
     */
    schema_id: string;
    /**
     * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
     */
    version: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    created_at: string;
  }[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface Profile {
  profile_id?: string;
  /**
   * @minItems 1
   * @maxItems 100
   */
  document_bindings: {
    binding_id: string;
    namespace: string;
    path?: string;
    /**
     * A path in which {name} stands for one part or a piece of it, and {name*} for one or more parts
     */
    path_template?: string;
    schema_id: string;
    schema_version: string;
    /**
     * Maximum length of the content as JSON
     */
    max_chars?: number;
    /**
     * The lowest number is read first and dropped last
     */
    read_priority?: number;
    write_mode?: 'restricted_patch' | 'replace_allowed' | 'read_only';
    /**
     * Operations in one patch; default 100
     */
    max_ops?: number;
    /**
     * Initial content of a new document
     */
    initial?: {
      [k: string]: unknown;
    };
    /**
     * @maxItems 200
     *
     * Items: JSON Pointer relative to /content
     */
    deny_paths?: string[];
    /**
     * Whether secrets in written texts are replaced before they are stored; default false
     */
    redact_secrets?: boolean;
    /**
     * Where the document was stored before, in the same namespace unless one is given
     *
     * @maxItems 20
     */
    legacy_paths?: (
      | string
      | {
          namespace: string;
          path: string;
        }
    )[];
  }[];
  writable_path_rules?: Record<string, unknown>;
  retention_rules?: {
    snapshots_days?: number;
    events_days?: number;
    audit_days?: number;
  };
  confidence_rules?: {
    min_confidence_for_durable_fact?: number;
    min_confidence_for_auto_apply?: number;
    on_low_confidence?: 'refuse' | 'pending';
  };
  on_low_confidence?: 'refuse' | 'pending';
  freshness_rules?: {
    /**
     * A durable fact that was not verified for this long is shown as stale
     */
    stale_after_days?: number;
  };
  compaction_rules?: Record<string, unknown>;
  /**
   * Which places of documents agree with facts, by binding
   */
  fact_rules?: Record<string, unknown>;
  /**
   * Where these sections are in the content of documents
   */
  sections?: {
    /**
     * JSON Pointer relative to /content
     */
    durable_facts?: string;
    /**
     * JSON Pointer relative to /content
     */
    pending?: string;
    /**
     * JSON Pointer relative to /content
     */
    preferences?: string;
    /**
     * JSON Pointer relative to /content
     */
    routing?: string;
    /**
     * JSON Pointer relative to /content
     */
    notes?: string;
    /**
     * JSON Pointer relative to /content
     */
    summary?: string;
  };
  [k: string]: unknown;
}
export interface ProfileList {
  profiles: unknown[];
}
export interface DocumentList {
  documents: {
    /**
     * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
     */
    namespace: string;
    path: string;
    /**
     * Same as the ETag header, including the quotes
     */
    etag: string;
    /**
     * Characters of the content as JSON
     */
    size_chars: number;
    version: number;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    created_at: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    updated_at: string;
  }[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface DocumentAnswer {
  /**
   * Same as the ETag header, including the quotes
   */
  etag: string;
  document: Document;
  /**
   * Old path where the document was found
   */
  migrated_from?: string;
  /**
   * Durable facts that should be confirmed before anyone relies on them; absent if there are none
   */
  stale?: {
    /**
     * JSON Pointer from the root of the document
     */
    path: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    since: string;
    reason: 'expired' | 'stale_after' | 'not_verified';
  }[];
}
export interface Document {
  doc_id: string;
  schema_id: string;
  schema_version: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  updated_by: string;
  content: unknown;
}
export interface WriteAnswer {
  /**
   * Same as the ETag header, including the quotes
   */
  etag: string;
  document: Document;
  /**
   * Whether this is the stored response of an earlier request with the same Idempotency-Key
   */
  idempotency_replay: boolean;
  /**
   * Whether the proposed facts were stored as pending confirmations instead
   */
  redirected?: boolean;
  /**
   * Whether secrets in the request were replaced
   */
  redacted?: boolean;
}
export interface DocumentHistory {
  /**
   * Newest first
   */
  versions: {
    version: number;
    /**
     * null: the document was deleted
     */
    etag: string | null;
    pre_etag: string | null;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    at: string;
    actor: unknown;
    profile_id: string;
    binding_id: string;
    reason: string;
    ops: unknown[];
    evidence: unknown;
    confidence: number | null;
    redirected: boolean;
    request_id: string;
  }[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface Context {
  selected_project_id: string | null;
  /**
   * Ordered by priority
   */
  documents: {
    /**
     * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
     */
    binding_id: string;
    /**
     * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
     */
    namespace: string;
    path: string;
    etag: string;
    document: Document;
    migrated_from?: string;
    /**
     * Number of entries that are shown as `[BLOCKED: …]`; absent if there are none
     */
    withheld_entries?: number;
    /**
     * Durable facts that should be confirmed before anyone relies on them; absent if there are none
     */
    stale?: {
      /**
       * JSON Pointer from the root of the document
       */
      path: string;
      /**
       * RFC 3339 timestamp in UTC with milliseconds
       */
      since: string;
      reason: 'expired' | 'stale_after' | 'not_verified';
    }[];
    /**
     * Paths that contain guidance from the user rather than facts
     */
    classifications?: {
      path: string;
      classification: string;
    }[];
  }[];
  dropped_bindings: {
    /**
     * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
     */
    binding_id: string;
    reason: 'max_docs' | 'max_chars_total' | 'missing' | 'blocked';
    /**
     * Variables of the path that `variables` has no value for
     */
    missing_variables?: string[];
  }[];
  /**
   * Present if a query was given, best match first
   */
  memories?: {
    /**
     * Cite it by this id
     */
    id: string;
    text: string;
    kind: string;
    score: number;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    occurred_at: string;
    /**
     * The user who wrote it, else the service; empty if nobody is known
     */
    author: string;
    /**
     * Whether it is in the memory of the user. Also true for what a service stored there
     */
    own: boolean;
    trust: string;
    /**
     * False: nothing is true any more that it says
     */
    current: boolean;
    /**
     * What took its place: the id of the memory that says so or, if there is none, of the fact. With current true, the place of a part.
     */
    superseded_by?: string;
    /**
     * Since when it is not true
     */
    superseded_at?: string;
    /**
     * More trusted facts and statements that contradict it
     */
    disputed_by?: {
      /**
       * The fact; left out if statements are compared
       */
      fact_id?: string;
      text: string;
      trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
      /**
       * A memory that says so
       */
      memory_id?: string;
    }[];
    /**
     * The same in words
     */
    note?: string;
  }[];
  /**
   * True if something may be missing: the memory plugin did not answer, or the model of the embedder is still being loaded, so that memories were found by their words only
   */
  incomplete?: boolean;
  routing_debug?: {
    reason: string;
    deterministic_score: number;
    semantic_score: number | null;
    candidates: string[];
  };
}
export interface Event {
  event_id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  tenant_id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  user_id: string;
  service_id: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  timestamp: string;
  source_type: string | null;
  digest: string;
  keywords: string[];
  project_ids: string[];
  snapshot_uri?: string;
  evidence?: unknown;
  /**
   * 0 to 1. Always 1 without a query.
   */
  score: number;
}
export interface SnapshotTaken {
  snapshot_id: string;
  snapshot_uri: string;
  replay_id: string | null;
}
export interface SnapshotSummary {
  snapshot_id: string;
  conversation_id: string;
  snapshot_uri: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * Size of the encrypted content
   */
  encrypted_bytes: number;
}
export interface ConversationList {
  conversations: Conversation[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface Conversation {
  /**
   * Or the session id of a chat
   */
  conversation_id: string;
  /**
   * Memories of what was said in it
   */
  turns: number;
  snapshots: number;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  first_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  last_at: string;
}
export interface LearnedConversation {
  conversation_id: string;
  /**
   * Newest first
   */
  replays: {
    replay_id: string;
    status: 'queued' | 'running' | 'completed' | 'failed';
    conversation_id: string;
    snapshot_id: string;
    profile_id: string;
    attempts: number;
    /**
     * Once completed: the event with the digest, and the number of facts and patches
     */
    outcome: unknown;
    error: string | null;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    created_at: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    updated_at: string;
    finished_at: string | null;
  }[];
  /**
   * What it was about, newest first
   */
  digests: {
    event_id: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    at: string;
    text: string;
    keywords: string[];
    /**
     * The messages it is based on, by the ids of their memories or those in the snapshot
     */
    message_ids: string[];
  }[];
  /**
   * Texts that the extractor found worth keeping in a chat
   */
  learned: {
    memory_id: string;
    text: string;
    confidence: number | null;
    /**
     * The messages it is based on, by the ids of their memories or those in the snapshot
     */
    message_ids: string[];
  }[];
  /**
   * Empty `message_ids`: it is based on the digest of a snapshot
   */
  facts: {
    fact_id: string;
    subject: string;
    attribute: string;
    value: string;
    status: 'current' | 'superseded' | 'ended' | 'retracted' | 'unconfirmed';
    /**
     * The messages it is based on, by the ids of their memories or those in the snapshot
     */
    message_ids: string[];
  }[];
  /**
   * Versions of documents whose evidence names the conversation, newest first
   */
  patches: {
    namespace: string;
    path: string;
    version: number;
    /**
     * null: the document was deleted
     */
    etag: string | null;
    pre_etag: string | null;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    at: string;
    actor: unknown;
    profile_id: string;
    binding_id: string;
    reason: string;
    ops: unknown[];
    evidence: unknown;
    confidence: number | null;
    redirected: boolean;
    request_id: string;
    /**
     * The messages it is based on, by the ids of their memories or those in the snapshot
     */
    message_ids: string[];
  }[];
  /**
   * Patches of its replays that could not be applied yet, oldest first
   */
  unresolved: {
    patch_id: string;
    /**
     * The owner of the document
     */
    user_id: string;
    replay_id: string;
    profile_id: string;
    binding_id: string;
    namespace: string;
    path: string;
    ops: unknown[];
    confidence: number;
    evidence: unknown;
    /**
     * waiting: retried automatically; review: needs a decision
     */
    status: 'waiting' | 'review';
    attempts: number;
    problem: {
      code: string;
      message: string;
    };
    next_attempt_at: string | null;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    created_at: string;
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    updated_at: string;
    /**
     * The messages it is based on, by the ids of their memories or those in the snapshot
     */
    message_ids: string[];
  }[];
}
export interface ReplayQueued {
  replay_id: string;
}
export interface Replay {
  replay_id: string;
  status: 'queued' | 'running' | 'completed' | 'failed';
  conversation_id: string;
  snapshot_id: string;
  profile_id: string;
  attempts: number;
  /**
   * Once completed: the event with the digest, and the number of facts and patches
   */
  outcome: unknown;
  error: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
  finished_at: string | null;
}
export interface UnresolvedPatch {
  patch_id: string;
  /**
   * The owner of the document
   */
  user_id: string;
  replay_id: string;
  profile_id: string;
  binding_id: string;
  namespace: string;
  path: string;
  ops: unknown[];
  confidence: number;
  evidence: unknown;
  /**
   * waiting: retried automatically; review: needs a decision
   */
  status: 'waiting' | 'review';
  attempts: number;
  problem: {
    code: string;
    message: string;
  };
  next_attempt_at: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
}
export interface VerifiedChain {
  /**
   * Whether no record was altered, removed or moved
   */
  verified: boolean;
  /**
   * How many were checked
   */
  records: number;
  /**
   * The first one
   */
  fault?: {
    seq: string;
    kind: 'missing' | 'altered' | 'head' | 'cut';
  };
}
export interface AuditRecords {
  /**
   * Newest first
   */
  records: ({
    seq: number;
    /**
     * SHA-256 of the chain up to and including this record
     */
    hash: string;
  } & {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown;
  })[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface Snapshot {
  snapshot_id: string;
  conversation_id: string;
  snapshot_uri: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  profile_id: string;
  messages: {
    id: string;
    role: 'user' | 'assistant' | 'system' | 'tool';
    content: string;
    timestamp?: string;
  }[];
}
export interface RetentionAnswer {
  events_deleted: number;
  audit_deleted: number;
  snapshots_deleted: number;
  search_documents_deleted: number;
  /**
   * Uploaded files, including the memories created from them
   */
  resources_deleted: number;
  /**
   * Everything older was deleted. null: no rule, nothing was deleted
   */
  cutoffs: {
    snapshots: string | null;
    events: string | null;
    audit: string | null;
    resources: string | null;
  };
  /**
   * Skipped because of a legal hold
   */
  held_users: string[];
}
export interface RetentionCeilings {
  snapshots_days: number | null;
  events_days: number | null;
  audit_days: number | null;
  resources_days: number | null;
}
export interface ErasureAnswer {
  /**
   * Number of erased records by kind
   */
  counts: Record<string, unknown>;
  receipt: Receipt;
}
export interface Receipt {
  id: string;
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  tenant_id: string;
  /**
   * The erased user, or `workspace/` and the id of an erased workspace; null: the whole tenant
   */
  user_id: string | null;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  time: string;
  /**
   * Number of erased records by kind
   */
  counts: Record<string, unknown>;
  /**
   * SHA-256 of the canonical JSON of the other fields
   */
  hash: string;
}
export interface ForgetPreview {
  /**
   * Number of erased records by kind
   */
  counts: Record<string, unknown>;
  /**
   * Names. Not empty: nothing can be erased
   */
  legal_holds: string[];
}
export interface CheckedReceipt {
  receipt: Receipt;
  /**
   * Records older than the receipt that still exist, by kind
   */
  remaining: Record<string, unknown>;
  /**
   * Records stored after the erasure, by kind
   */
  newer: Record<string, unknown>;
  /**
   * Whether nothing remains and the receipt is unaltered
   */
  verified: boolean;
}
export interface LegalHold {
  /**
   * 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  name: string;
  /**
   * Absent: every user of the tenant
   *
   * Items: 1 to 128 characters of A-Z a-z 0-9 . _ : @ -
   */
  user_ids?: string[];
  reason: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  updated_at: string;
}
export interface LegalHoldList {
  legal_holds: LegalHold[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface ToolResult {
  /**
   * The result of the tool, for the model
   */
  content: string;
  /**
   * Whether the command was not carried out; `content` says why
   */
  is_error: boolean;
}
export interface BackgroundJobList {
  jobs: BackgroundJob[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface BackgroundJob {
  id: string;
  /**
   * As in `jobs` of /health
   */
  name: string;
  /**
   * `retrying`: failed, and waiting for another attempt. `failed`: a dead letter, which needs a retry
   */
  state: 'waiting' | 'retrying' | 'running' | 'done' | 'failed';
  tenant_id: string | null;
  user_id: string | null;
  /**
   * Attempts started so far
   */
  attempts: number;
  max_attempts: number;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  start_after: string;
  started_at: string | null;
  finished_at: string | null;
  problem: string | null;
}
export interface RetriedJobs {
  retried: number;
}
export interface Latency {
  operations: {
    operation: string;
    /**
     * What p95 should not exceed: MEMHALL_OBJECTIVE_RECALL_MS and MEMHALL_OBJECTIVE_WRITE_MS
     */
    objective_ms: number | null;
    /**
     * The last five minutes. null: it did not happen
     */
    now: LatencySummary | null;
    /**
     * The rest of the hour before them
     */
    before: LatencySummary | null;
  }[];
  /**
   * The parts of a recall: `load` (read the index), `embed` (the question), `match` (compare words and vectors), `fetch` (the texts), `rerank`, `outside` (ask the memory plugin)
   */
  recall_stages: {
    stage: string;
    /**
     * The last five minutes. null: it did not happen
     */
    now: LatencySummary | null;
    /**
     * The rest of the hour before them
     */
    before: LatencySummary | null;
  }[];
  /**
   * When everything had to wait in the last five minutes, and for which operation
   */
  stalls: {
    /**
     * RFC 3339 timestamp in UTC with milliseconds
     */
    at: string;
    operation: string;
    delay_ms: number;
  }[];
  /**
   * What makes recall slow, most important first. Empty if it is not slow
   */
  findings: {
    kind: 'stage' | 'stall' | 'overload' | 'connections';
    about: string;
    message: string;
  }[];
}
export interface LatencySummary {
  count: number;
  p50_ms: number;
  /**
   * Nineteen of twenty took at most this long, to within a fifth
   */
  p95_ms: number;
  mean_ms: number;
}
export interface TenantList {
  tenants: TenantOverview[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface TenantOverview {
  id: string;
  /**
   * Users and workspaces that ever had something changed
   */
  owners: number;
  /**
   * Audit records
   */
  changes: number;
  memories: number;
  /**
   * Memories that wait for a vector of the current embedder, or for their word forms
   */
  waiting: number;
}
export interface QuotaList {
  window_seconds: number;
  quotas: {
    /**
     * What has the limit: each user, service or tenant, or all without a token
     */
    scope: string;
    /**
     * Requests. null: no limit
     */
    limit: number | null;
    /**
     * Requests refused since this process started
     */
    refused: number;
  }[];
}
export interface ChatModels {
  /**
   * The first one is the default
   */
  models: {
    id: string;
    /**
     * Answers by rules, without a language model
     */
    scripted: boolean;
  }[];
}
export interface ChatReply {
  model: string;
  message: {
    role: 'assistant';
    content: string;
  };
}
export interface SignInMethods {
  /**
   * null: none is configured
   */
  issuer: string | null;
}
export interface StartedSignIn {
  url: string;
}
export interface ConsoleSession {
  /**
   * For the Authorization header of all other calls
   */
  token: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  expires_at: string;
  tenant_id: string;
  user_id: string | null;
  service_id: string | null;
  roles: ('service' | 'admin' | 'operator')[];
}
export interface TokenRevocation {
  id: string;
  token_id?: string;
  user_id?: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  issued_before?: string;
  /**
   * When all these tokens have expired. Absent if that is not known.
   */
  expires_at?: string;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at: string;
}
export interface TokenRevocationList {
  token_revocations: TokenRevocation[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface SignedHeads {
  /**
   * Of the open log, oldest first
   */
  heads: SignedHead[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface SignedHead {
  tenant: string;
  /**
   * Id of the log
   */
  log: string;
  /**
   * Number of audit records that the log covers
   */
  size: number;
  /**
   * Root of the Merkle tree over these records (RFC 6962), hexadecimal
   */
  root: string;
  at: string;
  /**
   * Ed25519 public key, in base64
   */
  key: string;
  /**
   * In base64
   */
  signature: string;
}
export interface RecordProof {
  head: SignedHead;
  /**
   * Of the record in the log
   */
  position: number;
  /**
   * Hashes that lead from the record to the root
   *
   * Items: SHA-256, hexadecimal
   */
  path: string[];
  /**
   * Id of the chain of the record in the log
   */
  chain: string;
  seq: number;
  /**
   * Hash of the record before it in its chain
   */
  previous: string;
  /**
   * The record, byte for byte as it was hashed
   */
  record: string;
}
export interface ConsistencyProof {
  first: SignedHead;
  second: SignedHead;
  /**
   * Items: SHA-256, hexadecimal
   */
  path: string[];
}
export interface OwnerList {
  owners: Owner[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
/**
 * A user, or a workspace that agents share: one of the two ids is null
 */
export interface Owner {
  user_id: string | null;
  workspace_id: string | null;
  /**
   * Audit records
   */
  changes: number;
  /**
   * null: retention removed the record
   */
  last_change_at: string | null;
}
export interface ExportedMemories {
  memories: MemoryEntry[];
  /**
   * Only with `limit`. Absent on the last page.
   */
  next_cursor?: string;
  /**
   * Namespaces of an external plugin that have more memories than it allows to read
   */
  truncated_namespaces?: string[];
}
/**
 * Other fields are ignored
 */
export interface MemoryEntry {
  /**
   * UUID. If absent, it is derived from the other fields, so that importing an entry twice stores it once.
   */
  id?: string;
  /**
   * Secrets are redacted before it is stored
   */
  content: string;
  /**
   * With `scope`: the workspace that owns the memory
   */
  workspace_id?: string;
  /**
   * LOCAL, TEAM or GLOBAL. Present on entries in the format of the older store.
   */
  scope?: string;
  /**
   * Namespace in the plugin. With `scope`: the namespace label of the older store.
   */
  namespace?: string;
  /**
   * fact (default), summary, checkpoint
   */
  kind?: string;
  /**
   * agent (default), runtime, user
   */
  source?: string;
  pin?: boolean;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  expires_at?: string;
  propagation?: unknown;
  /**
   * RFC 3339 timestamp in UTC with milliseconds
   */
  created_at?: string;
}
export interface Imported {
  imported: number;
  /**
   * Already present and unchanged
   */
  skipped: number;
  errors: number;
  total: number;
  /**
   * Only with `failures=true`
   */
  failures?: {
    index: number;
    reason: string;
  }[];
}

export const oneMemoryRoutes = {
  'memory.remember': ['POST', '/v1/remember'],
  'memory.recall': ['POST', '/v1/recall'],
  'memory.why': ['POST', '/v1/recall:why'],
  'memory.list': ['GET', '/v1/memories'],
  'memory.export': ['GET', '/v1/memories:export'],
  'memory.get': ['GET', '/v1/memories/{id}'],
  'memory.update': ['PATCH', '/v1/memories/{id}'],
  'memory.forget': ['DELETE', '/v1/memories/{id}'],
  'facts.list': ['GET', '/v1/facts'],
  'facts.put': ['PUT', '/v1/facts'],
  'facts.get': ['GET', '/v1/facts/{fact_id}'],
  'facts.retract': ['POST', '/v1/facts/{fact_id}:retract'],
  'facts.confirm': ['POST', '/v1/facts/{fact_id}:confirm'],
  'facts.reject': ['POST', '/v1/facts/{fact_id}:reject'],
  'facts.undo': ['POST', '/v1/facts/{fact_id}:undo'],
  'facts.correct': ['POST', '/v1/facts/{fact_id}:correct'],
  'subjects.list': ['GET', '/v1/subjects'],
  'subjects.get': ['GET', '/v1/subjects/{subject}'],
  'subjects.merge': ['POST', '/v1/subjects/{subject}:merge'],
  'subjects.split': ['POST', '/v1/subjects/{subject}:split'],
  'offTheRecord.start': ['PUT', '/v1/off-the-record/{session_id}'],
  'offTheRecord.get': ['GET', '/v1/off-the-record/{session_id}'],
  'offTheRecord.end': ['DELETE', '/v1/off-the-record/{session_id}'],
  'offTheRecord.list': ['GET', '/v1/off-the-record'],
  'changes.list': ['GET', '/v1/changes'],
  'users.getSettings': ['GET', '/v1/user'],
  'users.putSettings': ['PUT', '/v1/user'],
  'attributes.get': ['GET', '/v1/tenants/{tenant_id}/attributes/{name}'],
  'attributes.put': ['PUT', '/v1/tenants/{tenant_id}/attributes/{name}'],
  'sources.revert': ['POST', '/v1/tenants/{tenant_id}/sources:revert'],
  'sources.list': ['GET', '/v1/tenants/{tenant_id}/source-reverts'],
  'sources.undo': ['POST', '/v1/tenants/{tenant_id}/source-reverts/{revert_id}:undo'],
  'webhooks.list': ['GET', '/v1/tenants/{tenant_id}/webhooks'],
  'webhooks.put': ['PUT', '/v1/tenants/{tenant_id}/webhooks/{name}'],
  'webhooks.get': ['GET', '/v1/tenants/{tenant_id}/webhooks/{name}'],
  'webhooks.delete': ['DELETE', '/v1/tenants/{tenant_id}/webhooks/{name}'],
  'webhooks.test': ['POST', '/v1/tenants/{tenant_id}/webhooks/{name}:test'],
  'webhooks.listDeliveries': ['GET', '/v1/tenants/{tenant_id}/webhooks/{name}/deliveries'],
  'webhooks.getDelivery': ['GET', '/v1/tenants/{tenant_id}/webhooks/{name}/deliveries/{delivery_id}'],
  'webhooks.retryDelivery': ['POST', '/v1/tenants/{tenant_id}/webhooks/{name}/deliveries/{delivery_id}:retry'],
} as const;

export const memoryServiceRoutes = {
  'semantic.store': ['POST', '/v1/memory/semantic'],
  'semantic.list': ['GET', '/v1/memory/semantic'],
  'semantic.deleteMany': ['DELETE', '/v1/memory/semantic'],
  'semantic.query': ['POST', '/v1/memory/semantic/query'],
  'semantic.find': ['GET', '/v1/memory/semantic/query'],
  'semantic.byExternalId': ['GET', '/v1/memory/semantic/by-external-id'],
  'semantic.deleteByExternalId': ['DELETE', '/v1/memory/semantic/by-external-id'],
  'semantic.get': ['GET', '/v1/memory/semantic/{id}'],
  'semantic.delete': ['DELETE', '/v1/memory/semantic/{id}'],
  'episodic.log': ['POST', '/v1/memory/episodic'],
  'episodic.forgetSession': ['DELETE', '/v1/memory/episodic'],
  'episodic.recent': ['GET', '/v1/memory/episodic/recent'],
  'episodic.search': ['GET', '/v1/memory/episodic/search'],
  'episodic.get': ['GET', '/v1/memory/episodic/{id}'],
  'episodic.delete': ['DELETE', '/v1/memory/episodic/{id}'],
  'procedural.store': ['POST', '/v1/memory/procedural'],
  'procedural.list': ['GET', '/v1/memory/procedural'],
  'procedural.deleteMany': ['DELETE', '/v1/memory/procedural'],
  'procedural.context': ['GET', '/v1/memory/procedural/context'],
  'procedural.get': ['GET', '/v1/memory/procedural/{id}'],
  'procedural.delete': ['DELETE', '/v1/memory/procedural/{id}'],
  'working.put': ['PUT', '/v1/memory/working/{plan_id}/{key}'],
  'working.get': ['GET', '/v1/memory/working/{plan_id}/{key}'],
  'working.delete': ['DELETE', '/v1/memory/working/{plan_id}/{key}'],
  'working.list': ['GET', '/v1/memory/working/{plan_id}'],
  'working.clear': ['DELETE', '/v1/memory/working/{plan_id}'],
  'tasks.store': ['POST', '/v1/memory/task-context'],
  'tasks.list': ['GET', '/v1/memory/task-context'],
  'tasks.bySubTask': ['GET', '/v1/memory/task-context/by-subtask/{subtask_id}'],
  'tasks.get': ['GET', '/v1/memory/task-context/{task_id}'],
  'tasks.update': ['PUT', '/v1/memory/task-context/{task_id}'],
  'tasks.delete': ['DELETE', '/v1/memory/task-context/{task_id}'],
  'tasks.changeSubTasks': ['POST', '/v1/memory/task-context/{task_id}/sub-tasks'],
  'tasks.takeLease': ['POST', '/v1/memory/task-context/{task_id}/lease'],
  'tasks.releaseLease': ['DELETE', '/v1/memory/task-context/{task_id}/lease'],
  'plans.create': ['POST', '/v1/memory/plans'],
  'plans.list': ['GET', '/v1/memory/plans'],
  'plans.byCorrelation': ['GET', '/v1/memory/plans/by-correlation/{correlation_id}'],
  'plans.get': ['GET', '/v1/memory/plans/{plan_id}'],
  'plans.update': ['PUT', '/v1/memory/plans/{plan_id}'],
  'plans.delete': ['DELETE', '/v1/memory/plans/{plan_id}'],
  'plans.changeCorrelations': ['POST', '/v1/memory/plans/{plan_id}/correlations'],
  'sessions.create': ['POST', '/v1/memory/sessions'],
  'sessions.list': ['GET', '/v1/memory/sessions'],
  'sessions.get': ['GET', '/v1/memory/sessions/{session_id}'],
  'sessions.update': ['PUT', '/v1/memory/sessions/{session_id}'],
  'sessions.delete': ['DELETE', '/v1/memory/sessions/{session_id}'],
} as const;

export const governedDocumentsRoutes = {
  'schemas.get': ['GET', '/v1/tenants/{tenant_id}/schemas/{schema_id}/{version}'],
  'schemas.put': ['PUT', '/v1/tenants/{tenant_id}/schemas/{schema_id}/{version}'],
  'schemas.list': ['GET', '/v1/tenants/{tenant_id}/schemas'],
  'profiles.get': ['GET', '/v1/tenants/{tenant_id}/profiles/{profile_id}'],
  'profiles.put': ['PUT', '/v1/tenants/{tenant_id}/profiles/{profile_id}'],
  'profiles.list': ['GET', '/v1/tenants/{tenant_id}/profiles'],
  'documents.list': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/documents'],
  'documents.get': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/documents/{namespace}/{path}'],
  'documents.patch': ['PATCH', '/v1/tenants/{tenant_id}/users/{user_id}/documents/{namespace}/{path}'],
  'documents.replace': ['PUT', '/v1/tenants/{tenant_id}/users/{user_id}/documents/{namespace}/{path}'],
  'documents.history': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/documents/{namespace}/{path}/history'],
  'context.assemble': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/context:assemble'],
  'events.write': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/events'],
  'events.search': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/events:search'],
  'conversations.snapshot': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/conversations/{conversation_id}/snapshots'],
  'conversations.listSnapshots': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/conversations/{conversation_id}/snapshots'],
  'conversations.list': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/conversations'],
  'conversations.get': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/conversations/{conversation_id}'],
  'conversations.replay': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/conversations/{conversation_id}/snapshots/{snapshot_id}:replay'],
  'replays.get': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/replays/{replay_id}'],
  'unresolved.list': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/unresolved-patches'],
  'unresolved.apply': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/unresolved-patches/{patch_id}:apply'],
  'unresolved.discard': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/unresolved-patches/{patch_id}:discard'],
  'audit.verify': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/audit:verify'],
  'audit.list': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/audit'],
  'workspaces.audit': ['GET', '/v1/tenants/{tenant_id}/workspaces/{workspace_id}/audit'],
  'conversations.readSnapshot': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/conversations/{conversation_id}/snapshots/{snapshot_id}'],
  'unresolvedQueue.list': ['GET', '/v1/tenants/{tenant_id}/unresolved-patches'],
  'unresolvedQueue.apply': ['POST', '/v1/tenants/{tenant_id}/unresolved-patches/{patch_id}:apply'],
  'unresolvedQueue.discard': ['POST', '/v1/tenants/{tenant_id}/unresolved-patches/{patch_id}:discard'],
  'tenants.audit': ['GET', '/v1/tenants/{tenant_id}/audit'],
  'retention.apply': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/retention:apply'],
  'retention.preview': ['POST', '/v1/tenants/{tenant_id}/users/{user_id}/retention:preview'],
  'retentionCeilings.put': ['PUT', '/v1/tenants/{tenant_id}/retention-ceilings'],
  'retentionCeilings.get': ['GET', '/v1/tenants/{tenant_id}/retention-ceilings'],
  'users.forget': ['DELETE', '/v1/tenants/{tenant_id}/users/{user_id}/memory'],
  'users.previewForget': ['GET', '/v1/tenants/{tenant_id}/users/{user_id}/memory'],
  'workspaces.forget': ['DELETE', '/v1/tenants/{tenant_id}/workspaces/{workspace_id}/memory'],
  'tenants.erase': ['DELETE', '/v1/tenants/{tenant_id}'],
  'receipts.check': ['GET', '/v1/tenants/{tenant_id}/receipts/{receipt_id}'],
  'legalHolds.put': ['PUT', '/v1/tenants/{tenant_id}/legal-holds/{name}'],
  'legalHolds.get': ['GET', '/v1/tenants/{tenant_id}/legal-holds/{name}'],
  'legalHolds.delete': ['DELETE', '/v1/tenants/{tenant_id}/legal-holds/{name}'],
  'legalHolds.list': ['GET', '/v1/tenants/{tenant_id}/legal-holds'],
} as const;

export const providerRoutes = {
  'provider.retain': ['POST', '/v1/provider/retain'],
  'provider.read': ['POST', '/v1/provider/read'],
  'provider.recall': ['POST', '/v1/provider/recall'],
  'provider.forget': ['POST', '/v1/provider/forget'],
  'provider.health': ['GET', '/v1/provider/health'],
  'quarantine.list': ['GET', '/v1/tenants/{tenant_id}/quarantine'],
  'quarantine.get': ['GET', '/v1/tenants/{tenant_id}/quarantine/{quarantine_id}'],
  'quarantine.delete': ['DELETE', '/v1/tenants/{tenant_id}/quarantine/{quarantine_id}'],
  'quarantine.release': ['POST', '/v1/tenants/{tenant_id}/quarantine/{quarantine_id}/release'],
} as const;

export const filesOfAgentsRoutes = {
  'files.run': ['POST', '/v1/memory-tool'],
} as const;

export const modelContextProtocolRoutes = {
  'mcp.post': ['POST', '/mcp'],
  'mcp.listen': ['GET', '/mcp'],
} as const;

export const modelContextProtocolMetadataRoutes = {
  'mcp.metadata': ['GET', '/.well-known/oauth-protected-resource/mcp'],
  'mcp.root_metadata': ['GET', '/.well-known/oauth-protected-resource'],
} as const;

export const operationsRoutes = {
  'health.get': ['GET', '/health'],
  'ready.get': ['GET', '/ready'],
  'metrics.get': ['GET', '/metrics'],
  'openapi.get': ['GET', '/openapi.json'],
  'openapi.getPlugin': ['GET', '/openapi-plugin.json'],
  'docs.get': ['GET', '/docs'],
  'docs.getPlugin': ['GET', '/docs/plugin'],
  'docs.script': ['GET', '/docs/script.js'],
  'jobs.list': ['GET', '/v1/operations/jobs'],
  'jobs.retry': ['POST', '/v1/operations/jobs:retry'],
  'latency.get': ['GET', '/v1/operations/latency'],
  'tenants.list': ['GET', '/v1/operations/tenants'],
  'quotas.list': ['GET', '/v1/operations/quotas'],
} as const;

export const chatRoutes = {
  'chat.models': ['GET', '/v1/chat/models'],
  'chat.reply': ['POST', '/v1/chat'],
} as const;

export const consoleRoutes = {
  'console.signInMethods': ['GET', '/v1/console/sign-in'],
  'console.startSignIn': ['POST', '/v1/console/session:start'],
  'console.finishSignIn': ['POST', '/v1/console/session:finish'],
  'console.signIn': ['POST', '/v1/console/session'],
  'console.signOut': ['DELETE', '/v1/console/session'],
  'console.resume': ['POST', '/v1/console/session:resume'],
} as const;

export const administrationRoutes = {
  'tokenRevocations.create': ['POST', '/v1/tenants/{tenant_id}/token-revocations'],
  'tokenRevocations.list': ['GET', '/v1/tenants/{tenant_id}/token-revocations'],
  'tokenRevocations.delete': ['DELETE', '/v1/tenants/{tenant_id}/token-revocations/{revocation_id}'],
  'audit.heads': ['GET', '/admin/audit/heads'],
  'audit.prove': ['GET', '/admin/audit/proof'],
  'audit.proveConsistency': ['GET', '/admin/audit/consistency'],
  'owners.list': ['GET', '/v1/tenants/{tenant_id}/owners'],
  'memories.export': ['GET', '/admin/memories/export'],
  'memories.import': ['POST', '/admin/memories/import'],
} as const;
