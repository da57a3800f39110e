/** The actions of keys during a review. */
type ReviewAct = 'previous' | 'next' | 'edit' | 'copy' | 'decorative' | 'approve' | 'saveAndApprove' | 'leaveField'

const LETTERS: Readonly<Record<string, ReviewAct>> = {
  j: 'next',
  arrowright: 'next',
  arrowdown: 'next',
  k: 'previous',
  arrowleft: 'previous',
  arrowup: 'previous',
  e: 'edit',
  c: 'copy',
  d: 'decorative',
  a: 'approve',
}

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/**
 * Null for a key without an action here, or one that the element handles itself. In a field, letters are typed, Control and Enter
 * save and continue, and Escape leaves the field.
 */
export function reviewKey(
  { key, ctrlKey, metaKey, altKey }: Press,
  target: { matches: (selector: string) => boolean },
): ReviewAct | null {
  const mod = ctrlKey || metaKey
  if (target.matches('textarea, input:not([type=checkbox])')) {
    if (key === 'Enter' && mod) return target.matches('textarea') ? 'saveAndApprove' : null
    return key === 'Escape' ? 'leaveField' : null
  }
  return mod || altKey ? null : (LETTERS[key.toLowerCase()] ?? null)
}
