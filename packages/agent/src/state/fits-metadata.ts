/** The limit of the server is 65,536. */
const maxCharacters = 60_000;

/** Says whether a value comes back from metadata as it was: no NUL characters, no lone surrogates, and normalized. JSON escapes the first two. */
export function fitsMetadata(value: object): boolean {
  const json = JSON.stringify(value);
  return json.length <= maxCharacters && !/\\u(?:0000|d[89a-f])/.test(json) && json === json.normalize('NFC');
}
