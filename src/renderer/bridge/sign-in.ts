/*
 * Who the page is. A link from the terminal is used once and gives three things: a cookie that no script can read, a
 * renewal key that this origin alone can read, and a token that stays in memory. After a reload cookie and renewal key
 * together give a new token; a page on another port has neither the key nor, by its Origin, the right to ask.
 */

const RENEWAL = 'hangar.renewal'

export type SignIn = { kind: 'in'; token: string } | { kind: 'out'; linkRefused: boolean } | { kind: 'unreachable' }

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

/** With a link, by that alone; without, by what an earlier link left here. */
export async function signIn(link: string | null): Promise<SignIn> {
  const renewal = localStorage.getItem(RENEWAL)
  const out = { kind: 'out', linkRefused: link !== null } as const
  if (link === null && renewal === null) return out
  try {
    const answer = await post(link === null ? '/session/renew' : '/session', link === null ? { renewal } : { link })
    // A used link in a tab that is signed in already, such as one that was restored, is no reason to sign out.
    if (answer.status === 401 && link !== null && renewal !== null) {
      const again = await signIn(null)
      return again.kind === 'out' ? out : again
    }
    if (answer.status === 401) return out
    if (!answer.ok) return { kind: 'unreachable' }
    const given = (await answer.json()) as { token: string; renewal?: string }
    if (given.renewal !== undefined) localStorage.setItem(RENEWAL, given.renewal)
    return { kind: 'in', token: given.token }
  } catch {
    return { kind: 'unreachable' }
  }
}

/** Tells when another tab signed in. */
export function onOtherTabSignedIn(listener: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === RENEWAL && event.newValue !== null) listener()
  })
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
