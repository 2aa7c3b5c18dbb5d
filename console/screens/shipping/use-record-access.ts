import { useQuery } from '@tanstack/react-query'
import { sourceQuery } from '../../api/project/versions.ts'
import { accessQuery } from '../../api/project/access.ts'
import { type RecordAccess, recordAccess } from './record-access.ts'

/** Returns who may access the records of the last build. Null when the app keeps none, and while loading. */
export function useRecordAccess(
  projectId: string,
  sha: string | null,
): { access: RecordAccess | null; isLoading: boolean } {
  const source = useQuery({ ...sourceQuery(projectId, sha ?? ''), enabled: sha !== null })
  const code = useQuery(accessQuery(projectId))
  const access = recordAccess(source.data?.files['app.json'])
  const isClosed = code.data?.enabled === true
  return {
    access: access !== null && isClosed ? 'code' : access,
    isLoading: source.isLoading || code.isLoading,
  }
}
