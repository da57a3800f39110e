import { expect, it } from 'vitest'
import { reachOf, reachOfHost } from '../../src/main/services/reach.ts'

it.each([
  ['8.8.8.8', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.1', 'public'],
  ['2606:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['64:ff9b::808:808', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.178.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12:3456::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['169.254.169.254', 'none'],
  ['::ffff:169.254.169.254', 'none'],
  ['fe80::1', 'none'],
  ['0.0.0.0', 'none'],
  ['::', 'none'],
  ['224.0.0.1', 'none'],
  ['255.255.255.255', 'none'],
  ['ff02::1', 'none'],
  ['2002:7f00:1::', 'none'],
  ['64:ff9b::', 'none'],
  ['64:ff9b::1', 'none'],
  ['no address', 'none'],
])('%s is %s', (address, reach) => {
  expect(reachOf(address)).toBe(reach)
})

it('A host is where its address is, and nowhere when its name stands for nothing', async () => {
  expect(await reachOfHost('[::1]')).toBe('loopback')
  expect(await reachOfHost('localhost')).toBe('loopback')
  expect(await reachOfHost('192.168.1.2')).toBe('private')
  expect(await reachOfHost('[2606:4700::1111]')).toBe('public')
  expect(await reachOfHost('nothing.invalid')).toBe('none')
})
