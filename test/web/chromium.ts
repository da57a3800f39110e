import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { build } from 'vite'

const CHROMIUM = '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)

export function launchChromium(): Promise<Browser> {
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  const still = ['--disable-component-update', '--disable-sync']
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: CHROMIUM, args: [...quiet, ...still, ...sandbox] })
}

/** One file of page/ as a script, bundled as the real page's is. */
export async function bundlePage(name: 'probe' | 'foreign'): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'hangar-page-'))
  const folder = join(import.meta.dirname, 'page')
  try {
    await build({
      ...{ configFile: false, logLevel: 'error', root: folder },
      build: {
        ...{ outDir, emptyOutDir: true },
        lib: { entry: join(folder, `${name}.ts`), formats: ['es'], fileName: () => 'page.js' },
      },
    })
    return await readFile(join(outDir, 'page.js'), 'utf8')
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
