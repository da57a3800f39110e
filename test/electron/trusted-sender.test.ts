import type { WebContents, WebFrameMain } from 'electron'
import { describe, expect, it } from 'vitest'
import { isPage, isPageOrigin } from '../../src/main/electron/page-address.ts'
import { isTrustedSender } from '../../src/main/electron/ipc-binding.ts'

const frame = (changes: Partial<Record<keyof WebFrameMain, unknown>>): WebFrameMain =>
  ({ url: 'hangar://app/index.html', parent: null, frameTreeNodeId: 1, ...changes }) as unknown as WebFrameMain
const contents = (isDestroyed = false): WebContents =>
  ({ mainFrame: frame({}), isDestroyed: () => isDestroyed }) as unknown as WebContents

describe('a message', () => {
  const page = contents()

  it('is believed from the main frame of the window while it shows the page', () => {
    expect(isTrustedSender({ sender: page, senderFrame: frame({}) }, page)).toBe(true)
    expect(isTrustedSender({ sender: page, senderFrame: frame({ url: 'hangar://app/#jobs' }) }, page)).toBe(true)
  })

  it.each<[string, Partial<Record<keyof WebFrameMain, unknown>> | null]>([
    ['a frame that is gone', null],
    ['a frame within the page', { parent: frame({}), frameTreeNodeId: 2 }],
    ['another main frame', { frameTreeNodeId: 2 }],
    ['the web', { url: 'https://example.com/' }],
    ['another host of the scheme', { url: 'hangar://other/index.html' }],
    ['a picture opened as a document', { url: 'hangar://app/picture/1/thumb' }],
    ['a file', { url: 'file:///index.html' }],
    ['nowhere', { url: '' }],
  ])('is refused from %s', (_, changes) => {
    const senderFrame = changes === null ? null : frame(changes)
    expect(isTrustedSender({ sender: page, senderFrame }, page)).toBe(false)
  })

  it('is refused from another window, without one, and while the frame goes away', () => {
    expect(isTrustedSender({ sender: contents(), senderFrame: frame({}) }, page)).toBe(false)
    expect(isTrustedSender({ sender: page, senderFrame: frame({}) }, null)).toBe(false)
    const gone = contents(true)
    expect(isTrustedSender({ sender: gone, senderFrame: frame({}) }, gone)).toBe(false)
    const disposed = new Proxy(frame({}), {
      get: () => {
        throw new Error('Render frame was disposed before WebFrameMain could be accessed')
      },
    })
    expect(isTrustedSender({ sender: page, senderFrame: disposed }, page)).toBe(false)
  })
})

describe('an address', () => {
  it.each(['hangar://app/', 'hangar://app/index.html?x', 'hangar://app/index.html#y'])('%s is the page', (url) => {
    expect(isPage(url)).toBe(true)
  })

  it.each([
    'hangar://app.example/',
    'hangar://app:1/',
    'hangar://me@app/',
    'hangarx://app/',
    'https://app/',
    'hangar:app',
    'about:blank',
    '',
  ])('%s is of another origin', (url) => {
    expect(isPageOrigin(url)).toBe(false)
  })
})
