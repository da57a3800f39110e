import { expect, it } from 'vitest'
import { folderAddress } from '../../../src/shared/text/folder-address.ts'

it.each([
  ['https://a.example', 'https://a.example/'],
  [' http://a.example:8080/b c ', 'http://a.example:8080/b%20c/'],
  ['https://a.example/b|c/', 'https://a.example/b%7Cc/'],
  ['https://u:secret@a.example/', null],
  ['https://a.example/b?', null],
  ['https://a.example/b#c', null],
  ['ftp://a.example/', null],
  ['a.example/b', null],
  ['', null],
])('of %j is %j', (text, address) => {
  expect(folderAddress(text)).toBe(address)
})
