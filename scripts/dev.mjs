/**
 * `npm run dev`: the page from its sources, with hot reload, in a browser beside a running engine. Changes of the engine need a new start.
 */
import path from 'node:path'
import process from 'node:process'
import { root, runNode, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

/** What the web shell answers; the rest is the page. */
const OF_THE_ENGINE = ['/about', '/sign-in', '/socket', '/picture', '/download', '/chargers.json', '/upload', '/zip']

await afterSetUp({ built: true }, async (args) => {
  let page = null
  const output = async (line) => {
    const event = JSON.parse(line)
    if (event.url === undefined) return
    page ??= servePage(new URL(event.url).origin)
    const link = new URL(event.url)
    link.port = await page
    process.stdout.write(`Open this link within 10 minutes; it works once.\n  ${link.href}\n`)
  }
  const report = (error) => {
    say(`The page cannot be served: ${String(error)}`)
    process.kill(process.pid, 'SIGTERM')
  }
  const { code } = await runNode(['out/main/cli.js', 'serve', '--json', '--port', '0', ...args], {
    output: (line) => output(line).catch(report),
  })
  // The page's server would keep this process.
  process.exit(code)
})

/** Serves the page from its sources; resolves to the port. */
async function servePage(engine) {
  const { createServer, loadConfigFromFile } = await import('vite')
  const env = { command: 'serve', mode: 'development' }
  const { config } = await loadConfigFromFile(env, path.join(root, 'electron.vite.config.ts'))
  // The engine takes requests of its own page alone.
  const asItsPage = (request) => request.setHeader('origin', engine)
  const configure = (proxy) => proxy.on('proxyReq', asItsPage).on('proxyReqWs', asItsPage)
  const target = { target: engine, changeOrigin: true, ws: true, configure }
  const server = await createServer({
    ...config.renderer,
    configFile: false,
    root: path.join(root, 'src/renderer'),
    server: {
      host: '127.0.0.1',
      port: 5173,
      // The texts, and the packages that the page takes files from.
      fs: { allow: [root] },
      proxy: Object.fromEntries(OF_THE_ENGINE.map((name) => [name, target])),
    },
  })
  await server.listen()
  return server.httpServer.address().port
}
