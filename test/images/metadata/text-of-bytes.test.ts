import { expect, it } from 'vitest'
import { textOfBytes } from '../../../src/main/images/metadata/text-of-bytes.ts'

it.each([
  ['UTF-8', Buffer.from('Jürgen Šimon © 日本'), 'Jürgen Šimon © 日本'],
  ['Latin-1', Buffer.from('J\xfcrgen \xa9', 'latin1'), 'Jürgen ©'],
  ['Windows-1252', Buffer.from('\x8aimon \x80 5 \x93so\x94', 'latin1'), 'Šimon € 5 “so”'],
  ['both in one text', Buffer.concat([Buffer.from('Zoë '), Buffer.from([0xa9])]), 'Zoë ©'],
  ['a replacement character of its own', Buffer.from('a\ufffdb'), 'a\ufffdb'],
  ['gaps of Windows-1252', Buffer.from([0x41, 0x81, 0x42]), 'A\x81B'],
  ['overlong and surrogate forms', Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80]), 'À€í\xa0€'],
  ['nothing', Buffer.alloc(0), ''],
])('reads %s', (_name, bytes, text) => {
  expect(textOfBytes(bytes)).toBe(text)
})
