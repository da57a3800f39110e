/** What the service takes; a person may still choose other files, and is told then. */
const ACCEPTED = 'image/jpeg,image/png,image/gif,image/webp'

/** The browser's own dialogue for files; nothing when the person changed their mind. */
export function chooseFiles(): Promise<File[]> {
  const field = document.createElement('input')
  field.type = 'file'
  field.multiple = true
  field.accept = ACCEPTED
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
