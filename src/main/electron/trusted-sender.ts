import type { WebContents, WebFrameMain } from 'electron'
import { isPage } from './page-address.ts'

/** What is known of a message's sender; both of Electron's IPC events have it. */
export interface Sender {
  sender: WebContents
  senderFrame: WebFrameMain | null
}

/**
 * Whether a message comes from the main frame of our window while it shows our page. A disposed frame is not trusted.
 */
export function isTrustedSender(event: Sender, page: WebContents | null): boolean {
  const { sender, senderFrame } = event
  if (page === null || page.isDestroyed() || sender !== page || senderFrame === null) return false
  try {
    const isMainFrame = senderFrame.parent === null && senderFrame.frameTreeNodeId === page.mainFrame.frameTreeNodeId
    return isMainFrame && isPage(senderFrame.url)
  } catch {
    // A frame disposed of since the message was sent throws when accessed.
    return false
  }
}
