/**
 * Creates a user of the memory gateway, with a key. The token needs the role `admin` or `service`.
 * @param {{ url: string, token: string }} server
 */
export async function createGatewayUser({ url, token }) {
  const response = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: `ann-${Date.now()}` }),
  });
  if (!response.ok) throw new Error(`The user could not be created: ${response.status}.`);
  const { user_id: userId, user_key: userKey } = await response.json();
  return { userId, userKey };
}
