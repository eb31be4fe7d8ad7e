import type { Reading } from './clause.js';
import type { Matched } from './conclude.js';

const partOfDay = 'morning|afternoon|evening|night';
const atAnHour = new RegExp(
  `\\b(?:(?:early|late) (?:on )?(?:today|yesterday|\\w+day)|tonight|(?:this|last|yesterday|\\w+day) (?:${partOfDay}))\\b`,
  'iu',
);
const units = /^(?:team|squad|group|department|division|unit|branch|committee|board|project|party|union|club)$/;
const networks = new Set(
  `facebook twitter linkedin instagram tiktok reddit discord slack telegram whatsapp mastodon bluesky threads snapchat pinterest youtube
   strava tinder bumble hinge github greenpeace mensa rotary nato`.split(/\s+/),
);

/** "I left Acme early today": who leaves at an hour comes back. */
export function mayComeBack({ group, text }: Reading, { attribute, kind, values }: Matched): boolean {
  const leavesOne = kind === 'ending' && group.lemmas.includes('leave') && values.values.length > 0;
  return leavesOne && attribute.shape !== 'name' && atAnHour.test(text);
}

/** "I joined the Maps team", "I joined Facebook": people join what they are not employed by. */
export function mayBeMembership({ group, values: { words } }: Reading, { attribute, kind, values }: Matched): boolean {
  if (kind !== 'beginning' || attribute.shape !== 'organisation' || !group.lemmas.includes('join')) return false;
  const [name = ''] = values.values;
  return units.test(words[values.next]?.lower ?? '') || /^team /i.test(name) || networks.has(name.toLowerCase());
}
