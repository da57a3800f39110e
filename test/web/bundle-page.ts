import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { folderForAll } from '../temp-folder.ts'

/** One file of page/ as a script, bundled as the real page's is. */
export async function bundlePage(name: 'probe' | 'foreign'): Promise<string> {
  const outDir = folderForAll()
  const folder = join(import.meta.dirname, 'page')
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
  return readFile(join(outDir, 'page.js'), 'utf8')
}
