import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { mostInWindow } from '../faults/invariants.ts'
import { readJobs } from '../faults/journal-view.ts'
import { CLI, jsonLines, runCli, startCli } from '../cli/harness.ts'
import { childEnvironment } from '../child-environment.ts'
import { BUILT, describeWith, itWith, programs } from '../needs.ts'
import { until } from '../until.ts'
import { cuttingProxy, urlThrough } from './cutting-proxy.ts'
import { POSTGRES } from './postgres.ts'
import { atRest, begin, computer, database, dataDirOf, server, startServerForAll, world } from './team-world.ts'

const HOUR = 3_600_000

describeWith(POSTGRES, BUILT)('computers with a team ledger', () => {
  startServerForAll()

  const charges = () => world.practice.ledger().charges
  const sql = (text: string) => server.query(text, [], database.name)
  const everythingStored = async (): Promise<string> => {
    const tables = await sql(
      `SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    const rows = []
    for (const { tablename } of tables) rows.push(...(await sql(`SELECT t::text FROM hangar.${String(tablename)} t`)))
    return JSON.stringify(rows)
  }

  /** Of commands that are run at one of them. */
  const environment = () => ({
    HANGAR_SERVICE_URL: world.practice.imageBaseUrl,
    HANGAR_API_KEY: world.apiKey,
    HANGAR_LEDGER_URL: database.url,
    HANGAR_LEDGER_PASSWORD_FILE: database.passwordFile,
  })
  const wrongPassword = () => {
    const path = join(world.logDir, 'wrong')
    writeFileSync(path, 'guessed', { mode: 0o600 })
    return { HANGAR_LEDGER_PASSWORD_FILE: path }
  }

  it('that watch the same folder at the same time pay for each picture once, with clocks apart by hours', async () => {
    await begin()
    const names = ['studio', 'nas', 'server']
    const computers = []
    for (const [nth, name] of names.entries())
      computers.push(await world.open(computer(name, { watch: true, clockAheadMs: (nth - 1) * 5 * HOUR })))
    for (const { engine } of computers) await engine.call('folders.add', world.folder)
    for (let nth = 0; nth < 9; nth += 1) await world.add(`of-a-client-${nth}.jpg`)
    await atRest(names)
    expect(charges()).toHaveLength(9)
    const states = names.flatMap((name) => readJobs(dataDirOf(name))!.map(({ state }) => state))
    expect(states.every((state) => state === 'done' || state === 'skipped')).toBe(true)
    expect(await world.violations(true)).toEqual([])
    const sent = await sql('SELECT sum(sent)::integer AS n FROM hangar.sent')
    expect(sent).toEqual([{ n: 9 }])
    const stored = await everythingStored()
    expect(stored).toContain('studio')
    for (const secret of [world.apiKey, database.password, world.base, 'of-a-client-3.jpg'])
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').slice(0, -3),
      ])
        expect(stored).not.toContain(form)
  })

  it('send nothing while the ledger does not answer, work on with what is here, and go on by themselves', async () => {
    await begin()
    const ledger = await cuttingProxy(server.port)
    onTestFinished(() => ledger.close())
    const overrides = { ledgerUrl: urlThrough(ledger, database.url) }
    const { engine } = await world.open(computer('studio', { overrides }))
    await until('the ledger answers', () => engine.unreachable() === null)
    ledger.stalled = true
    await world.add()
    await engine.call('intake.add', world.everything)
    await until('it is said', () => engine.unreachable() !== null, {
      describe: () => world.said.slice(-5).join(''),
    })
    const status = await engine.call('queue.status', {})
    expect(status).toMatchObject({ ok: true, value: { service: { unreachable: { code: 'ledger_away' } } } })
    // What needs no service is done all the same.
    const here = { ...world.recipe, operation: 'convert', convertOn: 'here' } as const
    const path = await world.add('here.jpg')
    await engine.call('intake.add', { ...world.everything, paths: [path], recipe: here })
    const isHere = (job: { path: string; state: string }) => job.path === path && job.state === 'done'
    await until('it is converted', () => readJobs(dataDirOf('studio'))!.some(isHere))
    expect(charges()).toEqual([])
    ledger.stalled = false
    ledger.cutAll()
    await atRest(['studio'])
    expect(charges()).toHaveLength(1)
    expect(await world.violations(true)).toEqual([])
  })

  it('send nothing while the ledger is full, and go on by themselves once it has space', async () => {
    await begin()
    const { engine } = await world.open(computer('studio'))
    await until('the ledger answers', () => engine.unreachable() === null)
    await sql(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON hangar.payments EXECUTE FUNCTION full_disk()`)
    await world.add()
    await engine.call('intake.add', world.everything)
    await until('it is said', () => engine.unreachable()?.code === 'ledger_away')
    expect(charges()).toEqual([])
    await sql('DROP TRIGGER full_disk ON hangar.payments')
    await atRest(['studio'])
    expect(charges()).toHaveLength(1)
    expect(await world.violations(true)).toEqual([])
  })

  it('make no more calls together than the service allows one', async () => {
    await begin()
    const limit = 12
    const computers = []
    for (const name of ['a', 'b'])
      computers.push(await world.open(computer(name, { overrides: { requestsPerMinute: limit } })))
    for (const { engine } of computers) {
      const paths = []
      for (let nth = 0; nth < 6; nth += 1) paths.push(await world.add())
      await engine.call('intake.add', { ...world.everything, paths })
    }
    const mostInAMinute = () => {
      const { requests } = world.practice.ledger()
      const times = requests.flatMap(({ keyId, atMs }) => (keyId === null ? [] : [atMs]))
      return mostInWindow(times.sort((a, b) => a - b))
    }
    await until('both would call more often', async () => {
      expect(mostInAMinute()).toBeLessThanOrEqual(limit)
      if (mostInAMinute() < limit) return false
      const [row] = await sql('SELECT count(*)::integer AS n FROM hangar.computers WHERE wants_at IS NOT NULL')
      return row?.['n'] === 2
    })
    expect(mostInAMinute()).toBe(limit)
  })

  it('stay within the cap of the team, and say what all of them sent', async () => {
    await begin()
    const caps = { perDay: 3, perMonth: null, perFolderPerDay: null }
    const computers = []
    for (const name of ['a', 'b'])
      computers.push({ name, ...(await world.open(computer(name, { overrides: { caps } }))) })
    for (const { engine } of computers) {
      const paths = [await world.add(), await world.add(), await world.add()]
      await engine.call('intake.add', { ...world.everything, paths })
    }
    const settled = (name: string) => {
      const jobs = readJobs(dataDirOf(name)) ?? []
      return jobs.length === 3 && jobs.every(({ state, reason }) => state === 'done' || reason === 'spend_guard')
    }
    for (const { name } of computers) await until(`${name} has sent what it may`, () => settled(name))
    expect(charges()).toHaveLength(3)
    const team = await computers[0]!.engine.call('team.status', {})
    expect(team).toMatchObject({ ok: true, value: { trouble: null, report: { sentToday: 3, unknown: 0 } } })
  })

  it('are set up and looked at with the commands of docs/team.md', async () => {
    await begin()
    const env = environment()
    const said = async (args: string[], more: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await runCli([...args, '--data-dir', dataDirOf('studio')], {
        env: { ...env, ...more },
      })
      return { code, text: stdout + stderr }
    }
    const expectSaid = async (args: string[], code: number, part: string, more: Record<string, string> = {}) => {
      const answer = await said(args, more)
      expect(answer.text).toContain(part)
      expect(answer.code).toBe(code)
    }
    await expectSaid(['team', 'check'], 0, 'The team ledger works')
    for (const [name, picture] of [
      ['studio', 'one.jpg'],
      ['nas', 'two.jpg'],
    ] as const) {
      const path = await world.add(picture)
      const { code, stderr } = await runCli(['run', path, '--data-dir', dataDirOf(name)], { env })
      expect(code, stderr).toBe(0)
    }
    const { code, text } = await said(['team', 'status'])
    expect(code).toBe(0)
    expect(text).toMatch(/2 computers[^]*1 sent today[^]*1 sent today[^]*2 pictures today/)
    // Both have the name of this machine, which is not enough to change one of them.
    const [report] = jsonLines((await said(['team', 'status', '--json'])).text) as [
      { computers: { id: string; name: string }[] },
    ]
    const [{ id, name }] = report.computers as [{ id: string; name: string }]
    await expectSaid(['team', 'rename', name, 'attic'], 2, `Several computers are called "${name}".`)
    await expectSaid(['team', 'rename', id, 'attic'], 0, '')
    await expectSaid(['team', 'status'], 0, 'attic: ')
    // What is wrong is said, with an exit status of its own.
    await expectSaid(['team', 'status', '--practice'], 3, 'No image service is set up')
    await expectSaid(['team', 'check'], 3, 'refuses this user and password', wrongPassword())
    await expectSaid(['team', 'check', '--ledger', 'postgres://hangar@127.0.0.1:9/hangar'], 6, 'does not answer')
    const withPassword = 'postgres://hangar:word@db.example/hangar'
    await expectSaid(['team', 'check', '--ledger', withPassword], 2, 'must not contain the password')
  })

  it('say that it is the ledger that cannot be used, and end a run at once where waiting does not help', async () => {
    await begin()
    await world.add()
    const env = environment()
    const run = (more: Record<string, string> = {}) =>
      runCli(['run', world.pictures, '--wait', '120', '--data-dir', dataDirOf('studio')], { env: { ...env, ...more } })
    const refused = await run(wrongPassword())
    expect(refused.stderr).toContain('The team ledger refuses')
    expect(refused.stderr).not.toContain('service does not answer')
    expect(refused.code).toBe(3)
    const nowhere = ['--ledger', 'postgres://hangar@127.0.0.1:9/hangar', '--data-dir', dataDirOf('nas')]
    const away = await runCli(['run', world.pictures, '--wait', '2', ...nowhere], { env })
    expect(away.stderr).toContain('The team ledger does not answer')
    expect(away.code).toBe(6)
    expect((await runCli(['team', 'check'], { env })).code).toBe(0)
    // One that keeps running says it itself, and so does `hangar status` beside it.
    const proxy = await cuttingProxy(server.port)
    const through = { ...env, HANGAR_LEDGER_URL: urlThrough(proxy, database.url) }
    const watching = startCli(['watch', world.logDir, '--data-dir', dataDirOf('server')], { env: through })
    try {
      await watching.said(/Stop with Ctrl/)
      proxy.stalled = true
      await watching.said(/The team ledger does not answer/)
      proxy.stalled = false
      proxy.cutAll()
      await watching.said(/It can be reached again/)
      await sql('UPDATE hangar.ledger SET version = version + 1')
      proxy.cutAll()
      await watching.said(/made by a newer Hangar/)
      expect(watching.text.stderr).not.toContain('The service does not answer')
      const status = await runCli(['status', '--json', '--data-dir', dataDirOf('server')], { env })
      expect(jsonLines(status.stdout)[0]).toMatchObject({ running: true, unreachable: { code: 'ledger_newer' } })
      expect((await runCli(['status', '--data-dir', dataDirOf('server')], { env })).stdout).toContain('newer Hangar')
    } finally {
      watching.child.kill('SIGTERM')
      await watching.ended
      await proxy.close()
    }
    const newer = await run()
    expect(newer.stderr).toContain('made by a newer Hangar')
    expect(newer.code).toBe(2)
    expect(charges()).toEqual([])
  })

  itWith(programs('dbus-run-session', 'gnome-keyring-daemon'))(
    'keep the password of the ledger in the keychain, with its address, when it is right or cannot be tried',
    async () => {
      await begin()
      const cli = `"${process.execPath}" "${CLI}"`
      const script = `
        mkdir -p "$HOME/.cache" "$HOME/.local/share"
        printf 'password\\n' | gnome-keyring-daemon --components=secrets --unlock >/dev/null 2>&1
        echo guessed | ${cli} team password --ledger "$LEDGER" 2>&1; echo "refused $?"
        echo 'two words' | ${cli} team password --ledger "$LEDGER" 2>&1; echo "malformed $?"
        echo guessed | ${cli} team password --ledger postgres://hangar@127.0.0.1:9/hangar --json; echo "unchecked $?"
        printf '%s\\n' "$WORD" | ${cli} team password --ledger "$LEDGER"; echo "set $?"
        ${cli} team check | head -1
        ${cli} team password --delete; echo "deleted $?"
        ${cli} team check 2>/dev/null; echo "check $?"`
      const env = {
        ...childEnvironment(),
        HOME: world.logDir,
        HANGAR_DATA_DIR: dataDirOf('studio'),
        LEDGER: database.url,
        WORD: database.password,
      }
      const said = await new Promise<string>((resolve) => {
        execFile('dbus-run-session', ['--', 'sh', '-c', script], { env }, (_error, stdout) => resolve(stdout))
      })
      expect(said.trimEnd().split('\n')).toEqual([
        'The team ledger refuses this user and password.',
        'refused 3',
        'Give the password alone, on one line: printable ASCII without spaces, at most 4096 characters.',
        'malformed 2',
        '{"event":"teamPassword","address":"postgres://hangar@127.0.0.1:9/hangar","present":true,"check":"unchecked"}',
        'unchecked 0',
        `The password is in the keychain, for ${database.url}.`,
        'set 0',
        `The team ledger works: ${database.url}`,
        `The password for ${database.url} is deleted.`,
        'deleted 0',
        'check 3',
      ])
    },
  )
})
