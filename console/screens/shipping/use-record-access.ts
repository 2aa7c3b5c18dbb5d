import { useQuery } from '@tanstack/react-query'
import { sourceQuery } from '../../api/project/versions.ts'
import { accessQuery } from '../../api/project/access.ts'
import { type RecordAccess, recordAccess } from './record-access.ts'

/** The access to the records of the last build; null when the app keeps none, and while loading. */
export function useRecordAccess(projectId: string, sha: string | null): RecordAccess | null {
  const source = useQuery({ ...sourceQuery(projectId, sha ?? ''), enabled: sha !== null }).data
  const isClosed = useQuery(accessQuery(projectId)).data?.enabled === true
  const access = recordAccess(source?.files['app.json'])
  return access !== null && isClosed ? 'code' : access
}
