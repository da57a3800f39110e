/** What a foreign page, on another port of this computer, may try against Hangar; see browser.test.ts. */

async function attack(origin: string, link: string): Promise<Record<string, string>> {
  const outcome: Record<string, string> = {}
  const attempt = async (name: string, work: () => Promise<string>) => {
    outcome[name] = await work().catch(() => 'failed')
  }
  const post = (path: string, mode: RequestMode, type: string, body: string) =>
    fetch(origin + path, { method: 'POST', mode, credentials: 'include', headers: { 'content-type': type }, body })
  const json = JSON.stringify({ link })
  await attempt('read the page', async () => (await fetch(`${origin}/`, { credentials: 'include' })).statusText)
  await attempt('sign in', async () => (await post('/sign-in', 'cors', 'application/json', json)).statusText)
  await attempt('sign in blindly', async () => (await post('/sign-in', 'no-cors', 'text/plain', json)).type)
  const body = new Uint8Array([0xff, 0xd8, 0xff])
  const blind = { method: 'POST', mode: 'no-cors', credentials: 'include', body } as const
  await attempt('upload blindly', async () => (await fetch(`${origin}/upload?path=a.jpg`, blind)).type)
  await attempt('open the socket', () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`)
    return new Promise((resolve) => {
      socket.onopen = () => resolve('open')
      socket.onerror = () => resolve('failed')
    })
  })
  await attempt('load a script', () => loads('script', `${origin}/assets/probe.js`))
  await attempt('frame the page', () => showInFrame(origin))
  return outcome
}

/** Whether the browser shows, or runs, what is at the address. */
function loads(tag: 'img' | 'script', src: string): Promise<string> {
  const element = document.createElement(tag)
  return new Promise((resolve) => {
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('failed')
    element.src = src
    document.body.append(element)
  })
}

/** A refused frame holds an error page, which has no address that other origins may read. */
async function showInFrame(src: string): Promise<string> {
  const frame = document.createElement('iframe')
  frame.src = src
  document.body.append(frame)
  await new Promise((resolve) => frame.addEventListener('load', resolve))
  return frame.contentDocument === null ? 'not readable' : 'readable'
}

Object.assign(window, { attack, loads })
