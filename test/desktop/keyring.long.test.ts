import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { KEYRING_PASSWORD } from './private-desktop.ts'

const KEY = 'the-key-of-this-account-0123456789'

// The dialog is the real one of gnome-keyring, in a window of its own.
describeWith(REAL_ELECTRON)('a keyring that is locked at the start', () => {
  let world: DesktopWorld
  let practice: PracticeServer
  let app: DesktopApp

  beforeAll(async () => {
    practice = await startPractice({ apiKey: KEY, credits: 1000, seed: 1 })
    world = await DesktopWorld.open()
    app = await start().ready()
    await app.call('keys.set', { name: 'image', key: KEY })
    await app.quit()
  })
  beforeEach(async () => {
    await world.desktop.ask('lock keyring')
    app = await start().ready()
  })
  afterAll(async () => {
    await world.close()
    await practice.close()
  })

  const start = () => world.start({ env: { HANGAR_SERVICE_URL: practice.imageBaseUrl } })
  const dialog = () => world.desktop.xdotool('search', '--onlyvisible', '--class', 'gcr-prompter')
  /** Types into the dialog until it is gone: it listens a little after it is shown. */
  const answer = (type: () => Promise<void>) =>
    until(
      'the dialog is answered',
      async () => {
        if ((await dialog()) === '') return true
        await type()
        return false
      },
      { pause: () => delay(5000) },
    )
  const status = () => app.call('keys.status', { name: 'image' })
  const rail = () => app.page<string>("document.querySelector('.rail-service')?.textContent ?? ''")
  const hasKey = async () => (await app.state()).service?.hasKey

  it('says so, leaves a person time for the dialog, and goes on with the key once they answered', async () => {
    await expect.poll(dialog).toMatch(/^\d+$/)
    await expect.poll(rail).toContain('Keychain locked')
    expect(await dialog()).toMatch(/^\d+$/)
    await answer(async () => {
      await world.desktop.xdotool('key', 'ctrl+a')
      await world.desktop.xdotool('type', '--delay', '20', KEYRING_PASSWORD)
      await world.desktop.xdotool('key', 'Return')
    })
    await expect.poll(hasKey).toBe(true)
    expect(await status()).toMatchObject({ present: true, place: 'keychain', because: null })
    await expect.poll(rail).not.toContain('Keychain locked')
    expect(await app.quit()).toEqual({ code: 0, signal: null })
  })

  it('does not ask again when the dialog is cancelled, and keeps a key given meanwhile once it is unlocked', async () => {
    await expect.poll(dialog).toMatch(/^\d+$/)
    await answer(async () => {
      await world.desktop.xdotool('key', 'Escape')
    })
    expect(await status()).toMatchObject({ present: false, place: 'memory' })
    expect(await app.call('keys.set', { name: 'image', key: KEY })).toMatchObject({
      place: 'memory',
      check: 'accepted',
    })
    await world.desktop.ask('unlock keyring', { password: KEYRING_PASSWORD })
    await expect.poll(status).toMatchObject({ present: true, place: 'keychain', because: null })
    expect(await hasKey()).toBe(true)
    expect(await dialog()).toBe('')
    expect(await app.quit()).toEqual({ code: 0, signal: null })
  })
})
