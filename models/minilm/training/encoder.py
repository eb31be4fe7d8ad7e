"""all-MiniLM-L6-v2 in plain PyTorch, with the tensor names of its safetensors file."""
import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

HEADS, LAYERS, HIDDEN = 12, 6, 384


class Encoder(torch.nn.Module):
    def __init__(self, path):
        super().__init__()
        weights = load_file(path)
        self.names = [name for name in weights]
        self.weights = torch.nn.ParameterDict({name.replace('.', '/'): torch.nn.Parameter(value.float()) for name, value in weights.items() if value.is_floating_point()})

    def w(self, name):
        return self.weights[name.replace('.', '/')]

    def norm(self, x, name):
        return F.layer_norm(x, (HIDDEN,), self.w(f'{name}.weight'), self.w(f'{name}.bias'), 1e-12)

    def linear(self, x, name):
        return F.linear(x, self.w(f'{name}.weight'), self.w(f'{name}.bias'))

    def hidden(self, ids, mask):
        batch, length = ids.shape
        x = F.embedding(ids, self.w('embeddings.word_embeddings.weight'))
        x = x + self.w('embeddings.position_embeddings.weight')[:length] + self.w('embeddings.token_type_embeddings.weight')[0]
        x = F.dropout(self.norm(x, 'embeddings.LayerNorm'), 0.1, self.training)
        allowed = mask[:, None, None, :].bool()
        for layer in range(LAYERS):
            p = f'encoder.layer.{layer}'
            q, k, v = (self.linear(x, f'{p}.attention.self.{part}').view(batch, length, HEADS, -1).transpose(1, 2) for part in ('query', 'key', 'value'))
            attended = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, dropout_p=0.1 if self.training else 0.0)
            attended = self.linear(attended.transpose(1, 2).reshape(batch, length, HIDDEN), f'{p}.attention.output.dense')
            x = self.norm(x + F.dropout(attended, 0.1, self.training), f'{p}.attention.output.LayerNorm')
            inner = self.linear(F.gelu(self.linear(x, f'{p}.intermediate.dense')), f'{p}.output.dense')
            x = self.norm(x + F.dropout(inner, 0.1, self.training), f'{p}.output.LayerNorm')
        return x

    def forward(self, ids, mask):
        x = self.hidden(ids, mask).float()
        m = mask[:, :, None].float()
        return F.normalize((x * m).sum(1) / m.sum(1), dim=-1)

    def save(self, path):
        save_file({name.replace('/', '.'): value.detach().half().cpu().contiguous() for name, value in self.weights.items()}, path)


class Texts:
    """Token ids of texts, each tokenized once."""
    def __init__(self, path, limit, device):
        self.tokenizer = Tokenizer.from_file(path)
        self.tokenizer.enable_truncation(limit)
        self.tokenizer.no_padding()
        self.known, self.device = {}, device

    def add(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for start in range(0, len(new), 4096):
            part = new[start : start + 4096]
            for text, encoding in zip(part, self.tokenizer.encode_batch(part)):
                self.known[text] = np.array(encoding.ids, dtype=np.int64)

    def batch(self, texts):
        rows = [self.known[text] for text in texts]
        length = max(len(row) for row in rows)
        ids = np.zeros((len(rows), length), dtype=np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
        ids = torch.from_numpy(ids).to(self.device)
        return ids, (ids != 0).long()


@torch.no_grad()
def embed(model, texts, source, size=512):
    model.eval()
    texts.add(source)
    order = sorted(range(len(source)), key=lambda place: len(texts.known[source[place]]))
    out = torch.zeros(len(source), HIDDEN, device=texts.device)
    for start in range(0, len(order), size):
        part = order[start : start + size]
        with torch.autocast(texts.device.split(':')[0], torch.bfloat16, enabled=texts.device != 'cpu'):
            out[part] = model(*texts.batch([source[place] for place in part]))
    return out
