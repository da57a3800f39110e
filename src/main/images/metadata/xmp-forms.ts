import { DC, type XmpProperty, type XmpValue } from './xmp.ts'

/** A property in XMP for what another kind of metadata says, and the form that its vocabulary requires. */
export type Target = readonly [namespace: string, name: string, form: 'text' | 'language' | 'list' | 'sequence']

export const CREATOR: Target = [DC, 'creator', 'sequence']
export const RIGHTS: Target = [DC, 'rights', 'language']
export const TITLE: Target = [DC, 'title', 'language']
export const DESCRIPTION: Target = [DC, 'description', 'language']

/** What takes one text gets the first value. */
export function propertyOf([namespace, name, form]: Target, values: readonly string[]): XmpProperty {
  const items = values.map((text): XmpValue => ({ kind: 'text', text, language: null }))
  const first = values[0] ?? ''
  switch (form) {
    case 'text':
      return { namespace, name, value: { kind: 'text', text: first, language: null } }
    case 'list':
      return { namespace, name, value: { kind: 'Bag', items } }
    case 'sequence':
      return { namespace, name, value: { kind: 'Seq', items } }
    case 'language': {
      const text: XmpValue = { kind: 'text', text: first, language: 'x-default' }
      return { namespace, name, value: { kind: 'Alt', items: [text] } }
    }
  }
}
