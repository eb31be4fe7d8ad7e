import { pieceBytes, type ResourceFiles } from '../../ports/resource-files.js';

/** Stores files of resources as database rows, in the transaction that inserts the resource. */
export const databaseFiles: ResourceFiles = {
  leavesRemains: false,
  async stage(_owner, resourceId, pieces) {
    return {
      async store(tables) {
        let number = 0;
        for await (const bytes of pieces(pieceBytes)) await tables.resources.addPiece(resourceId, number++, bytes);
      },
      release: async () => undefined,
    };
  },
  remove: async () => undefined,
};
