import { join, resolve } from 'node:path'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { orThrow } from '../../shared/contract/call.ts'
import { forkChild, childEnvironment } from '../children/fork-child.ts'
import { realClock } from '../engine/real-clock.ts'
import type { App } from '../page/start-app.ts'
import type { MetricsOptions, WebShell } from '../web/start-web.ts'
import type { Cli, CliCommand } from './command.ts'
import type { Terminal } from './terminal.ts'
import { hookReporter, hooksFor } from './hooks.ts'
import { rateOption, settingsOverrides } from './services.ts'
import { readKeyFile } from '../secrets/take-environment-keys.ts'
import { ipAddress, publicOrigin, wholeNumber } from './parse-options.ts'
import { GRACE_MS } from './stopping.ts'
import { JOURNAL_NAME, openJournal } from '../journal/journal.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { linkUrl, LINK_MS, newLink, signOutAll } from '../web/sign-ins.ts'
import { withRunningEngine } from './with-engine.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'

interface ServeFlags {
  port?: number
  publicUrl?: string
  listen?: string
  open?: boolean
  link?: boolean
  signOut?: boolean
  metricsTokenFile?: string
}

export function addServeCommand(program: CliCommand, cli: Cli): void {
  program
    .command('serve')
    .summary('the same Hangar as a page for a browser, until stopped')
    .description(
      'Shows Hangar in a browser on this computer and watches the remembered folders. It answers on 127.0.0.1 only; from elsewhere use a tunnel: ssh -L 4780:127.0.0.1:4780 HOST, or a reverse proxy with TLS and --public-url. Until an address is set it uses a practice service. SIGINT or SIGTERM stops it.',
    )
    .option('--port <n>', 'the port (4780, or the next that is free); 0 takes any', wholeNumber(0, 65_535))
    .option(
      '--public-url <url>',
      'the address at which a reverse proxy with TLS publishes the page, as in https://pictures.example.org; no other name is answered then',
      publicOrigin,
    )
    .option('--listen <address>', 'with --public-url: the IP address for the proxy to ask at (127.0.0.1)', ipAddress)
    .option('--open', 'open the page in the browser as well')
    .option('--link', 'print a fresh link for the server that runs already, and end')
    .option('--sign-out', 'sign out all browsers, and end')
    .option(
      '--metrics-token-file <file>',
      'answer /metrics, for Prometheus, to those who bring the token in this file; or HANGAR_METRICS_TOKEN',
    )
    .addHelpText(
      'after',
      `
Examples:
  hangar serve                 prints a link that signs a browser in, once
  hangar serve --link          the same for a server that runs elsewhere on this data folder
  hangar serve --sign-out      every browser needs a new link
  hangar serve --practice      try it out, whatever services are set`,
    )
    .imageServiceOptions()
    .chargerUrlOption()
    .addOption(rateOption())
    .action((flags: ServeFlags) => {
      if (flags.signOut === true) return signOut(cli)
      return flags.link === true ? printLink(cli) : serve(cli, flags)
    })
}

async function serve(cli: Cli, flags: ServeFlags): Promise<void> {
  const { dataDir } = cli
  const { port = null, publicUrl = null, listen = null } = flags
  if (listen !== null && publicUrl === null) throw new AppError('bad_request', say('cli_listen_needs_public_url'))
  const stop = new AbortController()
  cli.onStop(() => stop.abort())
  const metricsToken = await metricsTokenOf(cli, flags.metricsTokenFile)
  let web: WebShell | null = null
  const app = await openApp(cli, () => web?.origin ?? null)
  try {
    for (const warning of app.warnings) cli.terminal.err(warning)
    // Loaded only here: no other command needs a web server.
    const { startWeb } = await import('../web/start-web.ts')
    const shell = await startWeb({
      host: app.host,
      dataDir,
      clock: realClock,
      log: app.log,
      port,
      publicOrigin: publicUrl,
      address: listen,
      works: () => app.engine.works(),
      metrics: metricsToken === null ? null : await metricsFor(metricsToken, app),
      inboxDir: async () => (await orThrow(app.engine.call('settings.get', {}))).inboxDir,
      onSignIn: () => {
        removeWayIn(dataDir)
        cli.terminal.err('A browser signed in.')
        cli.terminal.json({ event: 'signedIn' })
      },
    })
    web = shell
    try {
      await announce(cli, flags, app, shell)
      const broken = await app.engine.untilBroken(stop.signal)
      if (broken !== null) throw broken
      cli.terminal.err('Stopping once what was sent is answered. Press Ctrl+C again to stop at once.')
    } finally {
      removeWayIn(dataDir)
      await shell.close()
    }
  } finally {
    await app.stop(GRACE_MS)
  }
}

/** Nobody guesses a random one of these. */
const MIN_TOKEN_CHARS = 16

/** From the file or the environment. Throws `bad_request`. */
export async function metricsTokenOf(cli: Cli, file: string | undefined): Promise<string | null> {
  const option = '--metrics-token-file'
  const read = file === undefined ? null : await readKeyFile(resolve(cli.cwd, file), option, cli.env)
  for (const warning of read?.warnings ?? []) cli.terminal.err(warning)
  const { keys, metricsProblem } = await cli.keys()
  if (read === null && metricsProblem !== undefined) throw metricsProblem
  const token = read?.key ?? keys.metrics ?? null
  if (token !== null && token.length < MIN_TOKEN_CHARS)
    throw new AppError('bad_request', say('cli_metrics_token_short', { fewest: MIN_TOKEN_CHARS }))
  return token
}

async function metricsFor(token: string, { engine, host, log }: App): Promise<MetricsOptions> {
  const { Metrics } = await import('../web/metrics.ts')
  log.hideSecret(token)
  const metrics = new Metrics({ engine, background: host.background, clock: realClock })
  engine.subscribe((event) => metrics.take(event))
  return { token, read: () => metrics.read() }
}

/** `data_folder_in_use` says what to do: usually the server runs already. */
async function openApp(cli: Cli, origin: () => string | null): Promise<App> {
  const { dataDir, options } = cli
  const { startApp } = await import('../page/start-app.ts')
  const { APP_DIR, WEB_SHELL } = await import('../web/start-web.ts')
  const onHook = hookReporter(cli, true)
  await hooksFor(cli, dataDir, onHook)
  try {
    return await startApp({
      dataDir,
      onHook,
      origin,
      child: forkChild,
      env: cli.env,
      keys: await cli.keys(),
      overrides: settingsOverrides(options, cli.env),
      shell: WEB_SHELL,
      locale: Intl.DateTimeFormat().resolvedOptions().locale,
      samplesDir: join(APP_DIR, 'resources', 'samples'),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data_folder_in_use') throw error
    // That one may end before it answers.
    const served = await servedAt(dataDir).catch(() => null)
    if (served === null) throw error
    const dirFlag = options.dataDir === undefined ? '' : ` --data-dir "${dataDir}"`
    throw new AppError(
      'data_folder_in_use',
      say('cli_served_already', {
        address: `${served}/`,
        // Packages that put no "hangar" on the PATH say how it is started.
        command: `${cli.env['HANGAR_RUN_AS'] ?? 'hangar'} serve --link${dirFlag}`,
      }),
      { cause: error },
    )
  }
}

async function announce({ terminal, dataDir }: Cli, flags: ServeFlags, app: App, web: WebShell): Promise<void> {
  const { imageBaseUrl: imageService, chargerBaseUrl: chargerService } = app.engine.snapshot().settings
  if (terminal.isJson)
    terminal.json({ event: 'serving', url: web.newLink(), port: web.port, dataDir, imageService, chargerService })
  else {
    terminal.out(`Hangar is at ${web.origin}/ until Ctrl+C.`)
    // One may be real while the other is the practice service.
    terminal.out(
      imageService === null
        ? 'Pictures go to the practice service: they stay on this computer, and nothing is charged.'
        : `Pictures are sent to ${imageService}.`,
    )
    terminal.out(
      chargerService === null
        ? 'Chargers are samples of the practice service, not for navigation.'
        : `Chargers come from ${chargerService}.`,
    )
    sayLink(terminal, web.newLink())
  }
  if (flags.open === true && !(await openBrowser(web.newLink(), dataDir))) terminal.err('No browser could be opened.')
}

/** Of the server that runs on this data folder; null if none does. Throws as `withRunningEngine` does. */
export async function servedAt(dataDir: string): Promise<string | null> {
  return (await withRunningEngine(dataDir, (ask) => ask('app.origin', {})))?.value.origin ?? null
}

/** Throws `not_found` if no server runs on this data folder. */
async function printLink({ terminal, dataDir }: Cli): Promise<void> {
  const origin = await servedAt(dataDir)
  if (origin === null) throw new AppError('not_found', say('cli_no_server'))
  const db = openJournal(dataDir)
  try {
    sayLink(terminal, linkUrl(origin, newLink(db, realClock)))
  } finally {
    db.close()
  }
}

function sayLink(terminal: Terminal, url: string): void {
  terminal.json({ event: 'link', url })
  terminal.out(`Open this link within ${LINK_MS / 60_000} minutes; it works once:`)
  terminal.out(`  ${url}`)
}

/** Whether a server runs or not. */
function signOut({ terminal, dataDir }: Cli): void {
  let count = 0
  // Throws where it cannot be looked at: a person believes what this says.
  readJournal(dataDir, () => null)
  if ((statSync(join(dataDir, JOURNAL_NAME), { throwIfNoEntry: false })?.size ?? 0) > 0) {
    const db = openJournal(dataDir)
    try {
      count = signOutAll(db)
    } finally {
      db.close()
    }
  }
  terminal.json({ event: 'signedOut', count })
  terminal.out(count === 1 ? '1 browser is signed out.' : `${count} browsers are signed out.`)
}

/** For the browser of the desktop. */
const DISPLAY = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'DESKTOP_SESSION', 'BROWSER']
const XDG = ['RUNTIME_DIR', 'CURRENT_DESKTOP', 'DATA_DIRS', 'CONFIG_HOME', 'CONFIG_DIRS'].map((name) => `XDG_${name}`)

const wayIn = (dataDir: string) => join(dataDir, 'open-hangar.html')

/**
 * Other users can read the arguments of a process, so the browser gets a page that only this user can read, and that sends it on.
 * Resolves to whether it could be launched.
 */
async function openBrowser(link: string, dataDir: string): Promise<boolean> {
  const page = wayIn(dataDir)
  removeWayIn(dataDir)
  const html = `<!doctype html><meta charset="utf-8"><title>Hangar</title><meta http-equiv="refresh" content="0; url=${link}">`
  writeFileSync(page, html, { flag: 'wx', mode: 0o600 })
  const [command, ...args] = commandFor(pathToFileURL(page).href)
  const env = childEnvironment(process.env, [...DISPLAY, ...XDG])
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  child.unref()
  return once(child, 'spawn').then(
    () => true,
    () => false,
  )
}

/** Its link was used, or the server stops. */
function removeWayIn(dataDir: string): void {
  rmSync(wayIn(dataDir), { force: true })
}

function commandFor(url: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url]
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}
