import type { BrowserContext, Page } from 'playwright-core'

/**
 * Keeps whatever a text brought about that a text must not: its script ran, it asked another origin, led somewhere, opened a
 * window or a question, or the page's policy had to stop it.
 */
export class Strikes {
  readonly #found: string[] = []
  readonly #isOurs: (address: string) => boolean

  private constructor(isOurs: (address: string) => boolean) {
    this.#isOurs = isOurs
  }

  /** Watches all pages of the context that are opened from now on. `isOurs` says which addresses may be asked for. */
  static async watch(context: BrowserContext, isOurs: (address: string) => boolean): Promise<Strikes> {
    const strikes = new Strikes(isOurs)
    await context.exposeBinding('struck', ({ frame }) => strikes.#add(`ran in ${frame.url()}`))
    await context.exposeBinding('stopped', (_, what: string) => strikes.#add(`policy: ${what}`))
    await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      stopped([violatedDirective, blockedURI, sample].join(' ')))`)
    context.on('request', (request) => strikes.#asked('asked', request.url()))
    context.on('page', (page) => strikes.#look(page))
    return strikes
  }

  /** What was found since it was asked last. */
  take(): string[] {
    return this.#found.splice(0)
  }

  #look(page: Page): void {
    const note = (error: unknown) => this.#add(`not looked at: ${String(error)}`)
    page.opener().then((opener) => opener === null || this.#add(`opened ${page.url()}`), note)
    page.on('dialog', (dialog) => {
      this.#add(`dialog: ${dialog.message()}`)
      dialog.dismiss().catch(note)
    })
    page.on('framenavigated', (frame) => this.#asked('led to', frame.url()))
    page.on('pageerror', (error) => this.#add(`error: ${error.message}`))
  }

  #asked(how: string, address: string): void {
    if (!/^(?:data:image|blob|about):/.test(address) && !this.#isOurs(address)) this.#add(`${how} ${address}`)
  }

  #add(what: string): void {
    this.#found.push(what.slice(0, 300))
  }
}
