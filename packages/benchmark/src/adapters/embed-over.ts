/** Returns a function that asks an endpoint with OpenAI's wire format for vectors, as clients of it do. */
export function embedOver(modelUrl: string): (texts: string[]) => Promise<number[][]> {
  return async (texts) => {
    const response = await fetch(`${modelUrl}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer local' },
      body: JSON.stringify({ model: 'text-embedding-3-small', input: texts, encoding_format: 'float' }),
    });
    if (!response.ok) throw new Error(`${modelUrl} answers ${response.status}`);
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    return data.map(({ embedding }) => embedding);
  };
}
