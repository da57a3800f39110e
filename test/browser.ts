import { existsSync } from 'node:fs'
import process from 'node:process'
import { chromium, type Browser } from 'playwright-core'
import { PATIENCE_MS } from './until.ts'

const WHOLE = '/usr/bin/chromium'
const LIGHT = '/usr/bin/chromium-headless-shell'

/** `light`: the same engine without the browser around it, at two thirds of the cost, for what concerns the page alone. */
export type BrowserKind = 'whole' | 'light'

export const hasChromium = existsSync(WHOLE)

/** The whole one also stands in for the light one where that is not installed. */
export function chromiumPath(kind: BrowserKind): string {
  return kind === 'light' && existsSync(LIGHT) ? LIGHT : WHOLE
}

/** Asks for nothing from the network and has a profile of its own. */
export function launchChromium(
  kind: BrowserKind,
  executablePath = chromiumPath(kind),
  more: readonly string[] = [],
): Promise<Browser> {
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  const still = ['--disable-component-update', '--disable-sync']
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // Its pages live for seconds, one after the other: to optimise their code, or to start a process for each, would cost more
  // than it saves.
  const plain = kind === 'light' ? ['--js-flags=--no-opt', '--process-per-site'] : []
  return chromium.launch({
    timeout: PATIENCE_MS,
    executablePath,
    args: [...quiet, ...still, ...plain, ...sandbox, ...more],
  })
}
