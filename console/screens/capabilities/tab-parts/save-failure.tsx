import { describeFailure } from '../../../api/request/failures.ts'
import { FailureReference } from '../../../ui/page/failure.tsx'

/**
 * Says why a change of a capability was refused, with the request id. Keeps the path of the setting in the message, because the form may
 * have no field for that setting.
 */
export function SaveFailure({ error }: { error: Error }) {
  const failure = describeFailure(error)
  return (
    <div role="alert" className="w-full space-y-1 text-[13px] text-removed">
      <p className="break-words">{failure.field === null ? failure.sentence : error.message}</p>
      <FailureReference failure={failure} />
    </div>
  )
}
