/** Phrases of a question that say how to answer it, or that something was said, and not what it is about. English only. */
const phrases = [
  /(?:can|could|would|will) you (?:please )?(?=(?:list|give|provide|tell|show|summari[sz]e|recap|remind|walk|describe|explain) )/,
  /(?:(?:list|describe|explain|(?:tell|show|give) me|walk me through) )?the order (?:in which|that) (?:I|we|you) (?:first )?(?:brought up|mentioned|discussed|talked about|raised|covered|introduced|went through)/,
  /(?:(?:give|write|provide)(?: me)?(?: with)? )?an? (?:[a-z-]+,? (?:and )?){0,3}(?:summary|overview|recap|outline) (?:of|about|on)/,
  /summari[sz]e/,
  /(?:throughout|across|during|in|over|based on|from) (?:all )?(?:of )?our (?:(?:previous|earlier|past|last|recent) )?(?:conversations?|chats?|discussions?|talks)(?: so far)?/,
  /in (?:(?:chronological|the right|the same) )?order(?! (?:to|of) )/,
  /(?:mention|name|list) (?:only )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:items|things|points)/,
  /(?:(?:all|different|various) (?:of the )?|the (?:main|key|different|various) )(?:aspects|phases|parts|points|stages|topics|things)(?: and [a-z]+)?(?: (?:I|we) (?:covered|discussed|mentioned))?(?: (?:of|about|on|related to))?/,
  /did (?:I|we) (?:say|mention|tell you|state)(?: that| about)?/,
  /from (?:start to finish|beginning to end)/,
  /over time/,
];
const frame = new RegExp(`\\b(?:${phrases.map(({ source }) => source).join('|')})\\b`, 'gi');

/** Returns what a query is about: "Can you list the order in which I brought up my plans?" asks for "my plans?". */
export function withoutFrame(query: string): string {
  return query.replaceAll(frame, ' ').replaceAll(/\s+/g, ' ').trim();
}
