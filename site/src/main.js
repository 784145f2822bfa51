// The page of a report: it shows the document that stands in it.
import { load, watch } from './viewer.js';

watch();
load(document.getElementById('data').textContent);
document.documentElement.dataset.ready = Math.round(performance.now());
