import { editFile, inspectFile } from './files.ts'
import { serveJobs } from '../children/serve.ts'
import { countChanges } from './count.ts'
import type { TextJobs } from './jobs.ts'
import { searchFiles } from './search.ts'

serveJobs<TextJobs>(
  {
    write: inspectFile,
    edit: editFile,
    search: ({ hitsMax, ...request }) => searchFiles(request, hitsMax),
    count: ({ pairs }) => countChanges(pairs),
  },
  { folder: process.argv[2] ?? process.cwd(), mustRetire: ({ ok }) => !ok },
)
