// Made from the route tables by `npm run generate`. Do not edit.

export interface Operations {
  'working.put': {
    path: {
      plan_id: string;
      key: string;
    };
    query: {};
    body: {
      /**
       * Any JSON, kept as it is
       */
      value: unknown;
      /**
       * Absent: kept until deleted
       */
      ttl_seconds?: number;
      /**
       * 1 to 128 of A-Z a-z 0-9 . _ : @ -
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
}
export interface WorkingEntry {
  /**
   * 1 to 100 of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
  /**
   * 1 to 128 of A-Z a-z 0-9 . _ : @ -
   */
  key: string;
  value: unknown;
  /**
   * RFC 3339, UTC, milliseconds
   */
  created_at: string;
  /**
   * RFC 3339, UTC, milliseconds
   */
  updated_at: string;
  /**
   * RFC 3339, UTC, milliseconds
   */
  expires_at?: string;
}
export interface WorkingList {
  /**
   * 1 to 100 of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
  entries: WorkingEntry[];
  /**
   * Entries in this answer
   */
  count: number;
  /**
   * Absent on the last page
   */
  next_cursor?: string;
}
export interface WorkingCleared {
  deleted_count: number;
  /**
   * 1 to 100 of A-Z a-z 0-9 . _ : @ -
   */
  plan_id: string;
}

export const routes = {
  'working.put': ['PUT', '/v1/memory/working/{plan_id}/{key}'],
  'working.get': ['GET', '/v1/memory/working/{plan_id}/{key}'],
  'working.delete': ['DELETE', '/v1/memory/working/{plan_id}/{key}'],
  'working.list': ['GET', '/v1/memory/working/{plan_id}'],
  'working.clear': ['DELETE', '/v1/memory/working/{plan_id}'],
} as const;
