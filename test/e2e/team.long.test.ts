import { afterAll, beforeAll, expect, test } from 'vitest'
import credits from '../../src/shared/text/en/credits.json' with { type: 'json' }
import sentences from '../../src/shared/text/en/sentences.json' with { type: 'json' }
import settings from '../../src/shared/text/en/settings.json' with { type: 'json' }
import { describeWith } from '../needs.ts'
import { joinTeam } from '../team/ledger-bench.ts'
import { POSTGRES, PostgresServer } from '../team/postgres.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { button, place, settingsPage, useService, visible } from './by-hand.ts'

describeWith(WHOLE_APP, POSTGRES)('the window of a computer of a team', () => {
  let server: PostgresServer
  let database: Awaited<ReturnType<PostgresServer['database']>>
  let world: AppWorld

  beforeAll(async () => {
    server = await PostgresServer.start()
    database = await server.database()
    world = await openApp()
  })
  afterAll(async () => {
    await world?.close()
    await server?.stop()
  })

  test('tries a ledger, says what is wrong at its field, uses it, and shows and removes computers', async () => {
    const { page, service } = world
    await useService(world)
    // Another computer was there, sent one picture, and is away by now.
    const serviceId = new URL(service.imageBaseUrl).origin
    const other = await joinTeam(database, { name: 'nas', apiKey: service.apiKey, serviceId })
    const caps = { perDay: null, perMonth: null }
    await other.account.claim({ paidKey: `${serviceId}|a`, isRepetition: false, caps })
    await other.close()
    await server.query(`UPDATE hangar.computers SET seen_at = seen_at - interval '3 minutes'`, [], database.name)

    await settingsPage(page, 'Advanced')
    const section = page.locator('#settings-team')
    await section.locator('summary').click()
    const [address, password] = [
      section.getByLabel(settings['team.address']),
      section.getByLabel(settings['team.password']),
    ]
    const wrong = section.locator('[aria-invalid="true"]')
    await (await visible(address)).fill(database.url)
    await password.fill('guessed')
    await section.getByRole('button', { name: settings.testKey }).click()
    await visible(section.getByRole('alert').getByText(sentences.ledger_password_wrong))
    expect(await wrong.count()).toBe(1)
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    // One that does not work is not used.
    await section.getByRole('button', { name: settings['team.use'] }).click()
    await visible(section.getByRole('alert').getByText(sentences.ledger_password_wrong))
    expect(await section.getByRole('list', { name: settings['team.computers'] }).count()).toBe(0)

    await password.fill(database.password)
    await section.getByRole('button', { name: settings.testKey }).click()
    await visible(section.getByText(/^It works: PostgreSQL \d/))
    await section.getByRole('button', { name: settings['team.use'] }).click()
    const computers = section.getByRole('list', { name: settings['team.computers'] })
    await visible(computers.getByText(/\(this one\)$/))
    await visible(
      computers
        .getByRole('listitem')
        .filter({ hasText: 'nas' })
        .getByText(/sent today: 1/),
    )

    await section.getByLabel(settings['team.name']).fill('Studio')
    await section.getByRole('button', { name: settings['team.setName'] }).click()
    await visible(computers.getByText('Studio (this one)', { exact: true }))
    await section.getByRole('button', { name: settings['team.removeNamed'].replace('{{name}}', 'nas') }).click()
    await computers.getByRole('listitem').filter({ hasText: 'nas' }).waitFor({ state: 'detached' })
    expect(await server.query('SELECT name FROM hangar.computers', [], database.name)).toEqual([{ name: 'Studio' }])

    await place(page, 'Credits').click()
    const fact = page.locator('.credits-facts > div').filter({ hasText: credits.teamToday })
    await visible(fact.getByText('1', { exact: true }))

    await settingsPage(page, 'Advanced')
    await section.locator('summary').click()
    await (await visible(button(page, settings['team.leave']))).click()
    await computers.waitFor({ state: 'detached' })
  })
})
