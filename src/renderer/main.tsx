/** The page of the window that is still to come: it says only that. */
import { createRoot } from 'react-dom/client'

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no element with the id root')

createRoot(place).render(
  <main>
    <h1>Hangar</h1>
    <p>
      The window comes in a later version. Until then the command line does all the work: <code>hangar --help</code>.
    </p>
  </main>,
)
