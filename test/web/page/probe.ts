/** A page with nothing but the bridge, for browser.test.ts to look at from outside. */
import { connectToShell } from '../../../src/renderer/bridge/connect.ts'
import { useConnection } from '../../../src/renderer/bridge/connection.ts'
import { resourceUrl } from '../../../src/renderer/bridge/resource-url.ts'

const bridge = connectToShell()
const messages: unknown[] = []
bridge.onMessage((message) => {
  messages.push(message)
  bridge.acknowledge(message.seq)
})
Object.assign(window, { probe: { bridge, useConnection, messages, resourceUrl } })
