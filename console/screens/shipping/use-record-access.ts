import { useQuery } from '@tanstack/react-query'
import { sourceQuery } from '../../api/project/versions.ts'
import { recordAccess } from './record-access.ts'

/** What visitors may do with the records of the last build; null when it keeps none, and until it is known. */
export function useRecordAccess(projectId: string, sha: string | null) {
  const source = useQuery({ ...sourceQuery(projectId, sha ?? ''), enabled: sha !== null }).data
  return recordAccess(source?.files['app.json'])
}
