import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { makePicture } from '../engine/engine-harness.ts'
import { WHOLE_APP, openApp } from './app-world.ts'
import { browseTo, button, visible } from './by-hand.ts'

describeWith(WHOLE_APP)('a picture that is pasted into a browser', () => {
  test('is uploaded under a name of its moment, previewed, and gone when a person cancels; a text field takes none', async () => {
    const world = await openApp()
    try {
      const { page } = world
      const inbox = join(world.home, 'inbox')
      await mkdir(inbox)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const png = (await makePicture(2, 'png')).toString('base64')
      await page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${png}'), (character) => character.charCodeAt(0))
        return navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
      })()`)
      await page.evaluate(`(() => {
        const field = Object.assign(document.createElement('input'), { id: 'typed' })
        document.body.append(field)
        field.focus()
      })()`)
      await page.keyboard.press('ControlOrMeta+V')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.evaluate(`document.querySelector('#typed').remove()`)

      await page.keyboard.press('ControlOrMeta+V')
      await (await visible(button(page, 'Choose a folder…'))).click()
      await browseTo(page, inbox)
      await visible(button(page, /^Process 1 picture/))
      const names = await readdir(inbox)
      expect(names).toEqual([expect.stringMatching(/^Pasted-\d{4}-\d\d-\d\d-at-\d\d\.\d\d\.\d\d\.png$/)])
      // What is pasted over the preview joins it.
      await page.keyboard.press('ControlOrMeta+V')
      await visible(button(page, /^Process 2 pictures/))
      await button(page, 'Close').click()
      await expect.poll(() => readdir(inbox)).toEqual([])
      expect(world.service.ledger().charges).toEqual([])
    } finally {
      await world.close()
    }
  })
})
