/** The Electron shell. Its windows are not part of this version: it says so, names what works today, and ends. */
import { app } from 'electron'

process.stderr.write(
  'Hangar has no window yet. The command line does the work: "hangar --help" lists what it can do, ' +
    '"npm start" in a checkout shows it on a practice service.\n',
)
app.exit(0)
