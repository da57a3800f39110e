import { useEffect } from 'react'
import { isTypedIn } from '../parts/use-shortcut.ts'
import { inBackground } from '../bridge/in-background.ts'

/**
 * Takes pictures and copied files that are pasted anywhere but in a text field, for the preview. Null takes none. `filesOf` is called in
 * the event itself.
 */
export function usePaste(filesOf: ((transfer: DataTransfer) => Promise<File[]>) | null): void {
  useEffect(() => {
    if (filesOf === null) return
    const paste = (event: ClipboardEvent) => {
      const { clipboardData, target, defaultPrevented } = event
      if (clipboardData === null || clipboardData.files.length === 0 || defaultPrevented) return
      if (isTypedIn(target)) return
      event.preventDefault()
      const files = filesOf(clipboardData)
      inBackground('use-paste.files', async () => {
        const { takePasted } = await import('./take-pasted.ts')
        await takePasted(await files)
      })
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [filesOf])
}
