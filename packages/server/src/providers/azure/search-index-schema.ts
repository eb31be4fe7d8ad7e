interface Field {
  name: string;
  type: string;
  key: boolean;
  searchable: boolean;
  filterable: boolean;
  sortable: boolean;
  facetable: boolean;
}

const off = { key: false, searchable: false, filterable: false, sortable: false, facetable: false };
const string = 'Edm.String';
const strings = 'Collection(Edm.String)';
const moment = 'Edm.DateTimeOffset';

/** The analyzer of searchable fields is the service's default, which knows no language: events can be in any. */
export const fields: readonly Field[] = [
  { ...off, name: 'key', type: string, key: true, filterable: true, sortable: true },
  { ...off, name: 'tenant_id', type: string, filterable: true },
  { ...off, name: 'user_id', type: string, filterable: true },
  { ...off, name: 'event_id', type: string },
  { ...off, name: 'etag', type: string },
  { ...off, name: 'created_at', type: moment, filterable: true },
  { ...off, name: 'service_id', type: string, filterable: true },
  { ...off, name: 'source_type', type: string, filterable: true },
  { ...off, name: 'timestamp', type: moment, filterable: true },
  { ...off, name: 'digest', type: string, searchable: true },
  { ...off, name: 'keywords', type: strings, searchable: true },
  { ...off, name: 'project_ids', type: strings, searchable: true, filterable: true },
];

export const searchableFields = fields.filter(({ searchable }) => searchable).map(({ name }) => name);

/** Whether an existing index has all fields with the properties that requests need. */
export function canHoldEvents(index: unknown): boolean {
  const found = (index as { fields?: Partial<Field>[] } | undefined)?.fields;
  if (!Array.isArray(found)) return false;
  const byName = new Map(found.map((field) => [field.name, field]));
  return fields.every((wanted) => {
    const field = byName.get(wanted.name);
    const needed = (['key', 'searchable', 'filterable', 'sortable'] as const).filter((property) => wanted[property]);
    return field?.type === wanted.type && needed.every((property) => field[property] === true);
  });
}
