import type { SignInRefusal } from '../../shared/contract/browsers.ts'
import { browserKey, publicPart, sign } from './browser-key.ts'

/*
 * How the page gets its token, which stays in memory, and its cookie, which no script can read: it signs a challenge of the
 * server with the browser's key. An unknown browser presents a single-use link from the terminal, or shows a code that a
 * person approves there.
 */

export type SignIn =
  | { kind: 'in'; token: string }
  | { kind: 'out'; linkRefused: boolean; refusal: SignInRefusal }
  | { kind: 'unreachable' }

export function hasLink(): boolean {
  return location.hash.startsWith('#link=')
}

/** Takes the link out of the address bar, so that it lands in no bookmark or history; null when there is none. */
export function takeLink(): string | null {
  if (!hasLink()) return null
  const link = location.hash.slice('#link='.length)
  history.replaceState(null, '', location.pathname + location.search)
  return link
}

/** `link` null: sign in by the browser's key alone. */
export async function signIn(link: string | null): Promise<SignIn> {
  try {
    const key = await browserKey()
    const asked = await post('/sign-in/challenge', {})
    if (!asked.ok) return { kind: 'unreachable' }
    const { challenge } = (await asked.json()) as { challenge: string }
    // The same string as in src/main/web/browser-proof.ts.
    const proof = await sign(key, `hangar-sign-in ${location.origin} ${challenge}`)
    const body = { key: await publicPart(key), challenge, proof, ...(link === null ? {} : { link }) }
    const answer = await post('/sign-in', body)
    if (answer.status === 401)
      return { kind: 'out', linkRefused: link !== null, refusal: (await answer.json()) as SignInRefusal }
    if (!answer.ok) return { kind: 'unreachable' }
    return { kind: 'in', token: ((await answer.json()) as { token: string }).token }
  } catch {
    return { kind: 'unreachable' }
  }
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
