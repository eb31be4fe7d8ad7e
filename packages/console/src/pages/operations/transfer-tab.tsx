import { useRights } from '../../api/api.js';
import { ExportCard } from './export-card.js';
import { ImportCard } from './import-card.js';

/** Takes the memory of a user out, and brings memories in. */
export function TransferTab() {
  const { admin, operator } = useRights();
  return (
    <>
      <div className="transfer">
        <ExportCard />
        <ImportCard />
      </div>
      {(admin || operator) && (
        <p className="note">
          A whole tenant, with its audit chains, documents, files and settings, moves with <code>memhall export</code>{' '}
          and <code>memhall import</code> on the server: an archive restores audit records as they were, so nobody may
          bring one in through a browser.
        </p>
      )}
    </>
  );
}
