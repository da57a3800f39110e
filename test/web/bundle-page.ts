import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/** One file of page/ as a script, bundled as the real page's is. */
export async function bundlePage(name: 'probe' | 'foreign'): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'hangar-page-'))
  const folder = join(import.meta.dirname, 'page')
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      // A library leaves this to who uses it.
      define: { 'process.env.NODE_ENV': '"production"' },
      root: folder,
      build: {
        outDir,
        emptyOutDir: true,
        lib: { entry: join(folder, `${name}.ts`), formats: ['es'], fileName: () => 'page.js' },
      },
    })
    return await readFile(join(outDir, 'page.js'), 'utf8')
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
