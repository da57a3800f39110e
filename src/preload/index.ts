/**
 * What a window may call: nothing yet. The methods will be derived from the contract in src/shared, one by one;
 * no raw channel, no environment and no Node object ever crosses.
 */
import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('hangar', Object.freeze({}))
