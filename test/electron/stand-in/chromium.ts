import { readFileSync } from 'node:fs'
import { type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import { launchChromium } from '../../browser.ts'
import { PATIENCE_MS } from '../../until.ts'

export const PRELOAD_WORLD = 'hangar-preload'

let browser: Promise<Browser> | null = null

export function launchOnce(): Promise<Browser> {
  return (browser ??= launchChromium('light', process.env['STAND_IN_CHROMIUM']))
}

export async function closeChromium(): Promise<void> {
  await (await browser)?.close().catch(() => undefined)
}

export interface OpenPage {
  context: BrowserContext
  page: Page
  cdp: CDPSession
  /** Of the main frame; frames within it get a world of the preload too, and no preload in it. */
  frameId: string
}

/**
 * A page with the preload in an isolated world of its own, as Electron has it: run before anything of the page, and with
 * nothing of the page's in reach. `fromPreload` gets what it sends, with the id of its context.
 */
export async function openPage(
  preload: string,
  size: { width: number; height: number },
  fromPreload: (contextId: number, message: string) => void,
): Promise<OpenPage> {
  const context = await (await launchOnce()).newContext({ viewport: size, acceptDownloads: true })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Page.enable')
  await cdp.send('Runtime.enable')
  await cdp.send('Runtime.addBinding', { name: 'standInToMain', executionContextName: PRELOAD_WORLD })
  cdp.on('Runtime.bindingCalled', ({ name, executionContextId, payload }) => {
    if (name === 'standInToMain') fromPreload(executionContextId, payload)
  })
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: preloadSource(preload), worldName: PRELOAD_WORLD })
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: mainFrameOnly(text('page-world.js')) })
  const { frameTree } = await cdp.send('Page.getFrameTree')
  return { context, page, cdp, frameId: frameTree.frame.id }
}

/** Nothing that Node has is there: no `process`, no `Buffer`, and `require` knows electron alone. */
function preloadSource(preload: string): string {
  const built = readFileSync(preload, 'utf8')
  return mainFrameOnly(`${text('preload-world.js')}
    ;((require, module, exports) => { ${built}
    })(standIn.require, { exports: {} }, {})`)
}

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const mainFrameOnly = (source: string): string => `if (window.top === window) { (() => { ${source}\n})() }`
