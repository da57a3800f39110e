import type { SignInAnswer } from '../../shared/contract/browsers.ts'

/*
 * How the page shows that it is our own. A link gives the browser a cookie, which no script can read, and the page a seed, which it
 * keeps for its origin and never sends. From it and from what the server says of itself it derives its secrets, so that they are
 * worth nothing to a program that listens on the port while the server is stopped.
 */

export type SignIn =
  { kind: 'in'; token: string; addressSecret: string } | { kind: 'out'; linkRefused: boolean } | { kind: 'unreachable' }

const SEED = 'hangar-seed'

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

/** `link` null: what the page keeps has to be enough. */
export async function signIn(link: string | null): Promise<SignIn> {
  try {
    const { instance } = (await (await fetch('/about')).json()) as { instance: string }
    const answer = await fetch('/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hangar-token': await derived('token', instance) },
      body: JSON.stringify(link === null ? {} : { link }),
    })
    if (answer.status === 401) return { kind: 'out', linkRefused: link !== null }
    if (!answer.ok) return { kind: 'unreachable' }
    const { seed } = (await answer.json()) as SignInAnswer
    if (seed !== undefined) localStorage.setItem(SEED, seed)
    return { kind: 'in', token: await derived('token', instance), addressSecret: await derived('address', instance) }
  } catch {
    return { kind: 'unreachable' }
  }
}

/** Must match src/main/web/sign-ins.ts. */
async function derived(what: 'token' | 'address', instance: string): Promise<string> {
  const seed = localStorage.getItem(SEED)
  if (seed === null) return ''
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(`${what} ${instance}`)))
  return btoa(String.fromCharCode(...signature))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
